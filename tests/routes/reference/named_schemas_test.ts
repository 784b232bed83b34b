import assert from "node:assert/strict";
import { errorMessages } from "../../../domain/core/errors.ts";
import { nodesOf, operationsOf, refTo, type SchemaNode, servedDocument } from "./document.ts";

const records = [
  ...["Email", "EmailDetail", "Attachment", "SentEmail", "Thread", "ThreadItem", "SearchResult"],
  ...[
    "Mailbox",
    "RenamedMailbox",
    "CountedMailbox",
    "DomainDetail",
    "DnsRecord",
    "DomainMigration",
  ],
  ...["ApiKey", "CreatedApiKey", "Webhook", "WebhookListItem", "Delivery", "DeliveryAttempt"],
  ...["Arrival", "InboundResult", "User", "Session", "Subscription", "Usage", "Health"],
  ...["EmailId", "EventName", "Plan", "Scope", "SendStatus", "PageMeta", "Error", "ErrorCode"],
];

Deno.test("every record of the API is a named schema, and type generators can keep every name", async () => {
  const { components: { schemas } } = await servedDocument();
  assert.deepEqual(records.filter((name) => !(name in schemas)), []);
  assert.deepEqual(Object.keys(schemas).filter((name) => !/^([A-Z][a-z0-9]+)+$/.test(name)), []);
});

Deno.test("every named schema is referred to, and every reference has its schema", async () => {
  const document = await servedDocument();
  const used = new Set([...nodesOf(document)].flatMap(([, node]) => node.$ref ?? []));
  const schemas = Object.keys(document.components.schemas);
  assert.deepEqual(schemas.filter((name) => !used.has(refTo(name))), []);
  const local = [...used].filter((ref) => ref.startsWith(refTo("")));
  assert.deepEqual(local.filter((ref) => !schemas.includes(ref.slice(refTo("").length))), []);
  assert.ok(!JSON.stringify(document).includes("$defs"));
});

Deno.test("no inline object of more than 4 properties is in the document twice", async () => {
  const document = await servedDocument();
  const places = new Map<string, string[]>();
  for (const [way, node] of nodesOf(document)) {
    const isSchema = node.type === "object" && node.properties;
    if (!isSchema || Object.keys(node.properties!).length <= 4) continue;
    const text = JSON.stringify(node);
    places.set(text, [...places.get(text) ?? [], way]);
  }
  assert.deepEqual([...places.values()].filter((each) => each.length > 1), []);
});

Deno.test("every route that returns a record refers to its named schema", async () => {
  const document = await servedDocument();
  const dataOf = (path: string, method = "get", status = "200") => {
    const answer = document.paths[path][method].responses[status];
    const { $ref } = answer.content!["application/json"].schema;
    assert.ok($ref, `${path}: the body has a name`);
    return document.components.schemas[$ref.slice(refTo("").length)].properties!;
  };
  assert.deepEqual(dataOf("/v1/api/emails").data.items, { $ref: refTo("Email") });
  assert.deepEqual(dataOf("/v1/api/emails/{messageId}").data, { $ref: refTo("EmailDetail") });
  assert.deepEqual(dataOf("/v1/api/threads/{thread_id}").data, { $ref: refTo("Thread") });
  assert.deepEqual(dataOf("/v1/api/search", "post").results.items, { $ref: refTo("SearchResult") });
  for (const base of ["/v1/api", "/api"]) {
    const { mailboxes } = dataOf(`${base}/mailboxes`);
    assert.deepEqual(mailboxes.items, {
      $ref: refTo(base === "/api" ? "CountedMailbox" : "Mailbox"),
    });
    assert.deepEqual(dataOf(`${base}/keys`).data.items, { $ref: refTo("ApiKey") });
  }
  assert.deepEqual(dataOf("/v1/api/webhooks/{id}").data, { $ref: refTo("Webhook") });
  assert.deepEqual(dataOf("/v1/api/emails").meta, { $ref: refTo("PageMeta") });
});

Deno.test("a body of an operation has the operation's name, the same in both families", async () => {
  const { paths } = await servedDocument();
  const create = [paths["/v1/api/mailboxes"].post, paths["/api/mailboxes"].post];
  for (const { requestBody, responses } of create) {
    const { schema } = requestBody!.content["application/json"];
    assert.deepEqual(schema, { $ref: refTo("CreateMailboxRequest") });
    const answer = responses["201"].content!["application/json"].schema;
    assert.deepEqual(answer, { $ref: refTo("CreateMailboxResponse") });
  }
  assert.deepEqual(create.map((each) => each.operationId), [
    "createMailbox",
    "dashboardCreateMailbox",
  ]);
});

Deno.test("operations are named as their routes, each once", async () => {
  const document = await servedDocument();
  const ids = operationsOf(document).map((each) => each.operationId);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(document.paths["/v1/api/emails/{messageId}"].get.operationId, "getEmail");
  assert.equal(document.paths["/v1/api/mailboxes"].get.operationId, "listMailboxes");
  assert.equal(document.paths["/api/mailboxes"].get.operationId, "dashboardListCountedMailboxes");
});

Deno.test("Error is the shape of every failure, ErrorCode has every code, and each code narrows Error", async () => {
  const { components: { schemas } } = await servedDocument();
  assert.deepEqual(schemas.ErrorCode.enum, Object.keys(errorMessages));
  const { error } = schemas.Error.properties!;
  assert.deepEqual(Object.keys(error.properties!), ["code", "message", "details"]);
  assert.deepEqual(error.properties!.code, { $ref: refTo("ErrorCode") });
  const [general, own] = schemas.MailboxQuotaError.allOf as SchemaNode[];
  assert.deepEqual(general, { $ref: refTo("Error") });
  assert.deepEqual(own.properties!.error.properties!.code.const, "MAILBOX_QUOTA");
  for (const name of ["NotFoundError", "ValidationError", "InternalError"]) {
    assert.ok(schemas[name], name);
  }
});

Deno.test("every field and parameter with an email's id describes it", async () => {
  const document = await servedDocument();
  const { description, pattern } = document.components.schemas.EmailId;
  assert.match(description!, /messageId/);
  assert.equal(pattern, "^[A-Za-z0-9_-]+$");
  const fields = [...nodesOf(document)].flatMap(([way, node]) =>
    node.properties?.email_id ? [[way, node.properties.email_id] as const] : []
  );
  const parameters = operationsOf(document).flatMap(({ operationId, parameters = [] }) =>
    parameters.filter(({ name }) => name === "messageId" || name === "email_id")
      .map((each) => [operationId, each.schema] as const)
  );
  assert.deepEqual([fields.length > 8, parameters.length], [true, 12]);
  // A batch returns each requested id unchanged, even the id of no email.
  const ids = fields.filter(([way]) => !/BatchResult/.test(way));
  assert.equal(ids.length, fields.length - 1);
  for (const [where, schema] of [...ids, ...parameters]) {
    const shown = schema.anyOf?.[0] ?? schema;
    assert.equal(shown.$ref, refTo("EmailId"), where);
  }
});

Deno.test("every time of an answer or an event is a date-time", async () => {
  const { components: { schemas } } = await servedDocument();
  const isTime = /(_at|At|^at|^date|_date|^timestamp|Ts|^lastUsed|Period(Start|End))$/;
  const times = [...nodesOf(schemas)].flatMap(([way, { properties = {} }]) =>
    Object.entries(properties).filter(([name, { type, anyOf }]) =>
      isTime.test(name) && (type === "string" || anyOf)
    ).map(([name, schema]) => ({ at: `${way}/${name}`, ...schema.anyOf?.[0] ?? schema }))
  );
  assert.ok(times.length > 20);
  assert.deepEqual(times.filter(({ format }) => format !== "date-time").map(({ at }) => at), []);
  assert.deepEqual(times.filter(({ pattern }) => pattern).map(({ at }) => at), []);
});
