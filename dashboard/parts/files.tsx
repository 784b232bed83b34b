import { useRef, useState } from "preact/hooks";
import { bytes } from "../format.ts";
import { sayProblem } from "../state.ts";
import type { SendInput } from "../types.ts";
import { words } from "../words.ts";
import { Icon, type IconName } from "./icon.tsx";
import { IconButton } from "./small.tsx";

type Attachment = NonNullable<SendInput["attachments"]>[number];

export interface AttachedFile {
  attachment: Attachment;
  /** Bytes, not encoded. */
  size: number;
}

export interface Files {
  files: AttachedFile[];
  /** For the body of a send, when every chosen file has been read: absent without files. Throws if one cannot be read. */
  attachments: () => Promise<{ attachments?: Attachment[] }>;
  add: (given: Iterable<File>) => Promise<void>;
  remove: (index: number) => void;
}

/**
 * Files to attach, kept in `unsent`. They are read when they are chosen, so a later change on the disk has no effect.
 */
export function useFiles(unsent: { files: AttachedFile[] }): Files {
  const [files, setFiles] = useState(unsent.files);
  const reading = useRef(new Set<Promise<void>>()).current;
  const change = (next: AttachedFile[]) => setFiles(unsent.files = next);
  const read = async (given: Iterable<File>) => {
    const more = await Promise.all([...given].map(attach));
    change([...unsent.files, ...more]);
  };
  const add = async (given: Iterable<File>) => {
    const work = read(given);
    reading.add(work);
    await work.catch(sayProblem);
    reading.delete(work);
  };
  const attachments = async () => {
    await Promise.all(reading);
    return unsent.files.length > 0
      ? { attachments: unsent.files.map(({ attachment }) => attachment) }
      : {};
  };
  const remove = (index: number) => change(unsent.files.filter((_, n) => n !== index));
  return { files, attachments, add, remove };
}

/** A media type that the API takes; browsers give "" for kinds that they do not know. */
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

async function attach(file: File): Promise<AttachedFile> {
  const content = await base64Of(file);
  const content_type = mediaType.test(file.type) ? file.type : "application/octet-stream";
  return { attachment: { filename: file.name, content_type, content }, size: file.size };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** A button that lets somebody choose files, or a folder. */
export function FileButton({ icon, label, choose, folder = false }: {
  icon: IconName;
  label: string;
  choose: (files: File[]) => void;
  folder?: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="button small" onClick={() => input.current?.click()}>
        <Icon name={icon} size={15} />
        {label}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        {...folder ? { webkitdirectory: true } : {}}
        onChange={({ currentTarget }) => {
          choose([...currentTarget.files ?? []]);
          currentTarget.value = "";
        }}
      />
    </>
  );
}

export function AttachButton({ files }: { files: Files }) {
  return (
    <FileButton
      icon="clip"
      label={words.compose.attach}
      choose={(chosen) => void files.add(chosen)}
    />
  );
}

export function AttachedFiles({ files }: { files: Files }) {
  if (files.files.length === 0) return null;
  return (
    <ul class="attachments" aria-label={words.thread.attachments}>
      {files.files.map(({ attachment, size }, n) => (
        <li key={n} class="attached">
          <span class="file">{attachment.filename}</span>
          <span class="muted num">{bytes(size)}</span>
          <IconButton
            icon="close"
            size={14}
            label={words.compose.removeFile(attachment.filename ?? "")}
            onClick={() => files.remove(n)}
          />
        </li>
      ))}
    </ul>
  );
}
