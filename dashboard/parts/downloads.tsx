import { bytes } from "../format.ts";
import { words } from "../words.ts";
import { Icon } from "./icon.tsx";

export interface Download {
  href: string;
  /** Under which it is kept on the disk. */
  filename: string;
  /** If it differs from the file's. */
  shown?: string;
  size: number;
}

/** The files of a mail as links that download them. */
export function Downloads({ files }: { files: Download[] }) {
  if (files.length === 0) return null;
  return (
    <ul class="attachments" aria-label={words.thread.attachments}>
      {files.map(({ href, filename, shown, size }, n) => (
        <li key={n}>
          <a href={href} download={filename}>
            <Icon name="clip" size={15} />
            <span class="file">{shown ?? filename}</span>
            <span class="muted num">{bytes(size)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
