import type { components, operations } from "./api.ts";
import type { AttachmentInput, FileInput } from "./attachments.ts";
import type { ExportedEmail } from "./export.ts";
import type { ImportState } from "./import.ts";
import type { List } from "./list.ts";
import type { routes } from "./routes.ts";
import type { Options } from "./transport.ts";

type Schemas = components["schemas"];

/** A record of the API by its name, such as `Email`, `Mailbox` or `Draft`. */
export type Model<Name extends string> = Name extends keyof Schemas ? Schemas[Name] : Loose;

// deno-lint-ignore no-explicit-any -- what the document does not describe
type Loose = Record<string, any>;

type Query<Op> = Op extends { parameters: { query?: infer Fields } }
  ? [Fields] extends [undefined] ? unknown : NonNullable<Fields>
  : unknown;

type Body<Op> = Op extends { requestBody?: { content: { "application/json": infer Fields } } }
  ? Attaching<Fields>
  : unknown;

type Attaching<Fields> = Fields extends { attachments?: unknown[] }
  ? Omit<Fields, "attachments"> & { attachments?: AttachmentInput[] }
  : Fields;

/** The fields of an operation by the API's names: of the query or of the body. */
type FieldsOf<Name> = Name extends keyof operations
  ? Query<operations[Name]> & Body<operations[Name]>
  : Loose;

type AnswerOf<Name> = Name extends keyof operations
  ? operations[Name] extends { responses: infer Responses }
    ? { [Status in keyof Responses]: ContentOf<Responses[Status]> }[keyof Responses]
  : never
  : Loose;

type ContentOf<Response> = Response extends { content: { "application/json": infer Body } } ? Body
  : never;

/** The result of a method: the content of an answer without its envelope. */
type Content<Answer> = Answer extends { data: infer Data } ? Data
  : Answer extends { mailbox: infer Mailbox } ? Mailbox
  : Answer extends { mailboxes: infer Mailboxes } ? Mailboxes
  : Omit<Answer, "success">;

/**
 * One of several forms: a field that only another form has is `undefined`. So `status` can be read before the form is
 * known, and tells it.
 */
type AnyForm<Form, All extends PropertyKey = Form extends unknown ? keyof Form : never> =
  Form extends unknown ? Form & { [Field in Exclude<All, keyof Form>]?: undefined } : never;

type Item<Name> = Content<AnswerOf<Name>> extends (infer Row)[] ? Row : Loose;

type Ids<Path> = Path extends `${string}{id}${infer Rest}` ? [id: string, ...Ids<Rest>] : [];

/** The arguments after the ids: the fields, if there are any, and the options. */
type Fields<Given> = [keyof Given] extends [never] ? [options?: Options]
  : Partial<Given> extends Given ? [fields?: Given & Options, options?: Options]
  : [fields: Given & Options, options?: Options];

type Method<Name, Path, Result> = (...given: [...Ids<Path>, ...Fields<FieldsOf<Name>>]) => Result;

type Import = (
  id: string,
  message: FileInput | Uint8Array<ArrayBuffer>,
  state?: ImportState & Options,
  options?: Options,
) => Promise<Model<"InboundResult">>;

type MethodOf<Route> = Route extends `${string} message` ? Import
  : Route extends `${infer Name} ${string} ${infer Path} ${infer Kind}`
    ? Method<Name, Path, ResultOf<Name, Kind>>
  : Route extends `${infer Name} ${string} ${infer Path}` ? Method<Name, Path, ResultOf<Name, "">>
  : never;

type ResultOf<Name, Kind> = Kind extends "pages" ? List<Item<Name>>
  : Kind extends "rows" ? Promise<Item<Name>[]> & AsyncIterable<Item<Name>>
  : Kind extends "mails" ? AsyncGenerator<ExportedEmail, void, undefined>
  : Kind extends "stream" ? Promise<ReadableStream<Uint8Array>>
  : Kind extends "send" ? Promise<AnyForm<Content<AnswerOf<Name>>>>
  : Promise<Content<AnswerOf<Name>>>;

/** The methods of a resource of the table of routes. */
export type Resource<Name extends keyof typeof routes> = {
  readonly [Verb in keyof (typeof routes)[Name]]: MethodOf<(typeof routes)[Name][Verb]>;
};
