import { type FileInput, fileOf, withAttachments } from "./attachments.ts";
import { LetterboxError } from "./errors.ts";
import { events } from "./events.ts";
import { exported } from "./export.ts";
import { imported } from "./import.ts";
import { List, type Page, untilAborted } from "./list.ts";
import { routes } from "./routes.ts";
import { type ClientOptions, createTransport, json, type Options } from "./transport.ts";
import type { Transport } from "./transport.ts";
import type { Model, Resource } from "./types.ts";

type Fields = Record<string, unknown>;

/** The resources by their names. */
type Resources = { readonly [Name in Exclude<keyof typeof routes, "client">]: Resource<Name> };

/** With `search`, that finds mail by meaning and by exact words, and `health`, which are of no resource. */
export interface Letterbox extends Resources, Resource<"client"> {}

/**
 * A client of one Letterbox service and one API key. Methods have the names of the operations. They take ids, then the
 * other fields by the API's names, then `{ signal }`. They return the content of the answer, and fail with
 * LetterboxError.
 */
export class Letterbox {
  static readonly name = "Letterbox";
  /**
   * The changes of the account as they happen. It connects again after a break and continues after the last change. So
   * it ends only by `signal`, by leaving the loop, or by an error such as `UNAUTHORIZED` or `CURSOR_EXPIRED`.
   */
  readonly events: (
    fields?: { after?: string } & Options,
    options?: Options,
  ) => AsyncGenerator<Model<"Change">, void, undefined>;

  /**
   * Sends a file that is to be attached, without base64, and returns the `upload_id` for `attachments` of one message. It
   * can be attached for 24 hours.
   */
  readonly uploadFile: (
    file: FileInput,
    options?: Options,
  ) => Promise<{ upload_id: string; size: number }>;

  constructor(options: ClientOptions) {
    const transport = createTransport(options);
    this.events = (fields, given) => events(transport, { ...fields, ...given });
    this.uploadFile = async (file, { signal } = {}) => {
      const { content, ...about } = await fileOf(file);
      const { upload_url } = await this.uploads.create(about, { signal });
      return contentOf(
        await transport({
          method: "PUT",
          // The service may know itself by another address than this client.
          path: upload_url.slice(upload_url.indexOf("/v1/api/uploads/")),
          body: content,
          repeatable: false,
          signal,
        }, json) as Fields,
      ) as { upload_id: string; size: number };
    };
    for (const [resource, table] of Object.entries(routes)) {
      const methods = Object.fromEntries(
        Object.entries(table).map(([name, route]) => [name, method(transport, route)]),
      );
      Object.assign(this, resource === "client" ? methods : { [resource]: methods });
    }
  }
}

/** The method of one row of the table. */
function method(transport: Transport, route: string): (...given: unknown[]) => unknown {
  const [, verb, template, kind = ""] = route.split(" ");
  const ids = template.split("{id}").length - 1;
  return (...given) => {
    const { signal, ...rest } = { ...given[ids] as Fields, ...given[ids + 1] as Options };
    const fields: Fields = kind === "text" ? { ...rest, format: kind } : rest;
    const call = async (more: Fields = {}) => {
      const path = pathOf(template, given.slice(0, ids));
      return await answer({ ...fields, ...more }, path, signal);
    };
    const answer = async (all: Fields, path: string, signal?: AbortSignal) => {
      const inQuery = verb === "GET" || kind === "query";
      const body = inQuery ? undefined : await withAttachments(all);
      // The API accepts the body of a DELETE only if the operation has fields.
      const hasBody = body && (verb !== "DELETE" || Object.keys(body).length > 0);
      const read: (response: Response) => unknown = kind === "stream" ? ({ body }) => body : json;
      const base = `/v1/api${path}`;
      // A further try would wait from its own arrival on, and miss what came since the first.
      const isTimeless = kind === "wait" && !all.since && !all.after;
      const since = new Date().toISOString();
      return await transport({
        method: verb,
        path: base + (inQuery ? queryOf(all) : ""),
        retryPath: isTimeless ? base + queryOf({ ...all, since }) : undefined,
        headers: {
          ...hasBody ? { "content-type": "application/json" } : {},
          ...kind === "send" ? idempotencyHeader(all.idempotency_key) : {},
        },
        body: hasBody ? JSON.stringify(body) : undefined,
        repeatable: verb === "GET" || kind === "send" || kind === "read",
        signal,
      }, read) as Fields;
    };
    // Called later: what it throws is the failure of the promise.
    const path = () => `/v1/api${pathOf(template, given.slice(0, ids))}`;
    if (kind === "message") {
      const [file, state, more] = given.slice(ids) as [FileInput, Fields?, Options?];
      return imported(transport, path, file, { ...state, ...more });
    }
    if (kind === "mails") {
      return exported(
        transport,
        (after = fields.after as string) => path() + queryOf({ ...fields, after }),
        { signal },
      );
    }
    if (kind === "pages") {
      // The cursor of `changes` is named `after`.
      const name = template === "/changes" ? "after" : "cursor";
      return new List(
        (next) => call(next === null ? {} : { [name]: next }) as unknown as Promise<Page<unknown>>,
        signal,
      );
    }
    const content = call().then((all) => kind === "stream" ? all : contentOf(all));
    if (kind !== "rows") return content;
    const rows = content as Promise<unknown[]>;
    return Object.assign(rows, {
      async *[Symbol.asyncIterator]() {
        yield* untilAborted(await rows, signal);
      },
    });
  };
}

/** The body has the caller's key too, so that one with other characters than a header can have also counts. */
function idempotencyHeader(key: unknown = crypto.randomUUID()): Record<string, string> {
  return typeof key === "string" && /^[\x21-\x7e]+$/.test(key) ? { "idempotency-key": key } : {};
}

/** The content of an answer, without its envelope. */
function contentOf({ success: _, ...answer }: Fields): unknown {
  return answer.data ?? answer.mailbox ?? answer.mailboxes ?? answer;
}

function pathOf(template: string, ids: unknown[]): string {
  return template.replaceAll("{id}", () => {
    const id = ids.shift();
    // Such a path would lead to another route.
    if (typeof id !== "string" || /^\.{0,2}$/.test(id)) {
      throw new LetterboxError("INVALID_ARGUMENT", `${template}: an id is missing`);
    }
    return encodeURIComponent(id);
  });
}

function queryOf(fields: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  return query.size > 0 ? `?${query}` : "";
}
