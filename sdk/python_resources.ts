import { documentOfTheSdks } from "./document.ts";
import { pascal } from "./python_models.ts";
import { routes } from "./typescript/src/routes.ts";

// deno-lint-ignore no-explicit-any -- JSON Schema
type Schema = any;

/** Names of path parameters that say less than those of the clients. */
const idNames: Record<string, string> = { messageId: "email_id", id: "webhook_id" };

/**
 * The text of `resources.py` or of `async_resources.py`: a class for each resource of the TypeScript client's table, and
 * one that has them all. A method has the first sentence of its comment in that table.
 */
export function pythonResources(isAsync: boolean): string {
  const source = Deno.readTextFileSync(new URL("./typescript/src/routes.ts", import.meta.url));
  const prefix = isAsync ? "Async" : "";
  const operations = operationsByName();
  const classes = Object.entries(routes).map(([resource, methods]) => {
    const comments = commentsOf(source, resource);
    const texts = Object.entries<string>(methods).map(([name, route]) =>
      method(name, route, comments[name], operations[route.split(" ")[0]], isAsync)
    );
    if (resource !== "client") {
      return `class ${prefix}${pascal(resource)}(_Resource):\n${texts.join("\n")}`;
    }
    const names = Object.keys(routes).filter((each) => each !== "client");
    const init = names.map((each) =>
      `        self.${snake(each)} = ${prefix}${pascal(each)}(connection)\n`
    );
    return `class ${prefix}Resources(_Resource):
    """All resources, and the methods of the client itself."""

    def __init__(self, connection: ${prefix}Connection) -> None:
        super().__init__(connection)
${init.join("")}
${texts.join("\n")}`;
  });
  return `# made by \`deno task sdk:types\` from sdk/typescript/src/routes.ts and the OpenAPI document; do not edit
"""The operations by resource. Ids come first, then the other fields by name (\`from_\` for \`from\`)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ${prefix}Iterator, List

from ._${isAsync ? "async" : "sync"} import ${prefix}Connection, ${prefix}Pages
from ._rows import ${prefix}Rows, ExportedEmail, ImportState

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import models as m


class _Resource:
    def __init__(self, connection: ${prefix}Connection) -> None:
        self._connection = connection


${classes.join("\n\n")}`;
}

const asyncWords: [RegExp, string][] = [
  [/"""[^\n]*"""/, '"""Requests, lists and events of the blocking client."""'],
  [/Awaitable\[(dict\[str, Any\])\]/g, "$1"],
  [/, Awaitable\b/g, ""],
  [/\b(?:await|async) /g, ""],
  [/\bAsync|\ba(?=closing\b)/g, ""],
  [/__a(iter|next)__/g, "__$1__"],
  [/_async_http/g, "_sync_http"],
];

/** The text of `_sync.py`: `_async.py` without its waiting, over `_sync_http.py`. */
export function pythonSync(): string {
  const source = Deno.readTextFileSync(new URL("./python/letterbox/_async.py", import.meta.url));
  const text = asyncWords.reduce((text, [word, other]) => text.replace(word, other), source);
  return `# made by \`deno task sdk:types\` from _async.py; do not edit\n${text}`;
}

interface Operation {
  /** The names of the ids in the path, in order. */
  ids: string[];
  hasFields: boolean;
  /** The type of the answer without its envelope; absent for bytes. */
  content?: Schema;
  /** The name of that type if its schema has none. */
  contentName: string;
}

function operationsByName(): Record<string, Operation> {
  const { paths, components: { schemas } } = documentOfTheSdks() as Schema;
  const resolved = (schema: Schema) => schema?.$ref ? schemas[nameOf(schema)] : schema;
  return Object.fromEntries(
    Object.entries<Schema>(paths).flatMap(([path, operations]) =>
      Object.values<Schema>(operations).map((operation) => {
        const body = resolved(operation.requestBody?.content["application/json"]?.schema);
        // The other success is that of a dry run.
        const answer = (operation.responses[201] ?? operation.responses[200]).content;
        const schema = answer["application/json"]?.schema;
        const { data, mailbox, mailboxes } = resolved(schema)?.properties ?? {};
        return [operation.operationId, {
          ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => idNames[name] ?? snake(name)),
          hasFields: Object.keys(body?.properties ?? {}).length > 0 ||
            (operation.parameters ?? []).some((each: Schema) => each.in === "query"),
          content: data ?? mailbox ?? mailboxes ?? schema,
          contentName: `${pascal(operation.operationId)}ResponseData`,
        }];
      })
    ),
  );
}

/** The comments of a resource's methods. */
function commentsOf(source: string, resource: string): Record<string, string> {
  const [, table] = new RegExp(`^  ${resource}: \\{\n(.*?)^  \\}`, "ms").exec(source)!;
  return Object.fromEntries(
    [...table.matchAll(/\/\*\* (.+) \*\/\n +(\w+):/g)].map(([, comment, name]) => [name, comment]),
  );
}

function method(
  name: string,
  route: string,
  comment: string,
  { ids, hasFields, content, contentName }: Operation,
  isAsync: boolean,
): string {
  const [operation, verb, path, kind = ""] = route.split(" ");
  const prefix = isAsync ? "Async" : "";
  const isList = kind === "pages" || kind === "rows";
  if (kind === "message") return importMethod(name, route, comment, isAsync);
  const isBytes = kind === "stream", isExport = kind === "mails";
  const fields = hasFields && !isBytes;
  const given = [
    "self",
    ...ids.map((id) => `${id}: str`),
    ...fields ? [`**fields: Unpack[m.${pascal(operation)}Fields]`] : [],
  ];
  const type = isBytes
    ? "bytes"
    : isExport
    ? `${prefix}Iterator[ExportedEmail]`
    : isList
    ? `${prefix}${pascal(kind)}[${typeOf(content.items, "")}]`
    : typeOf(content, contentName);
  const sent = ["send", "read", "query", "wait"].includes(kind) ? ` ${kind}` : "";
  const passed = [
    `"${verb} ${path}${sent}"`,
    ...ids,
    ...fields ? [kind === "text" ? 'fields={"format": "text", **fields}' : "fields=fields"] : [],
    // The cursor of `changes` is named `after`.
    ...path === "/changes" ? ['cursor="after"'] : [],
  ];
  const [sentence] = comment.split(/(?<=\.) /);
  const described = sentence.replace(/`(\w+): true`/, "`$1=True`").replace(/\bnull\b/, "None");
  const waits = isAsync && !isList && !isExport;
  const call = isList || isExport ? kind : isBytes ? "bytes" : "call";
  return `    ${waits ? "async " : ""}def ${snake(name)}(${given.join(", ")}) -> ${type}:
        """${described}"""
        return ${waits ? "await " : ""}self._connection.${call}(${passed.join(", ")})
`;
}

/** The method of the import, whose body is a message. */
function importMethod(name: string, route: string, comment: string, isAsync: boolean): string {
  const [, verb, path] = route.split(" ");
  const [sentence] = comment.split(/(?<=\.) /);
  return `    ${isAsync ? "async " : ""}def ${name}_(
        self, mailbox_id: str, message: str | os.PathLike[str] | bytes | bytearray, **state: Unpack[ImportState]
    ) -> m.InboundResult:
        """${sentence}"""
        return ${
    isAsync ? "await " : ""
  }self._connection.message("${verb} ${path}", mailbox_id, message, state)
`;
}

/** Of several forms the first: that of a mail which goes out at once. `list` is a method of the classes. */
function typeOf(schema: Schema, name: string): string {
  if (schema.$ref) return `m.${nameOf(schema)}`;
  if (schema.anyOf) return typeOf(schema.anyOf[0], name);
  if (schema.type === "array") return `List[${typeOf(schema.items, name)}]`;
  return `m.${name}`;
}

const nameOf = ({ $ref }: { $ref: string }) => $ref.split("/").pop()!;

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
