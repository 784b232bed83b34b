import assert from "node:assert/strict";
import { errorMessages } from "../../../domain/core/errors.ts";
import { testService } from "../../service.ts";
import { type OpenApi, operationsOf, servedDocument } from "./document.ts";

async function servedPage(): Promise<{ page: string; document: OpenApi }> {
  await using test = await testService();
  const answer = await test.request("/docs");
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("content-security-policy")!, /^default-src 'none'/);
  const page = await answer.text();
  return { page, document: await (await test.request("/openapi.json")).json() };
}

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]);

Deno.test("/docs runs nothing and loads nothing", async () => {
  const { page } = await servedPage();
  assert.ok(!/<script|<link|src=|url\(|@import/.test(page));
});

// SPEC: reference.guide
Deno.test("/docs begins with the guide, in three languages and with the address of the service", async () => {
  const { page } = await servedPage();
  const steps = ["First mail", "First code", "First reply", "First webhook"];
  const headings = all(page, /<h[23][^>]*>([^<]+)</g);
  assert.deepEqual(headings.slice(0, 6), ["Guide", ...steps, "Reference"]);
  const guide = page.slice(page.indexOf('id="guide"'), page.indexOf('id="reference"'));
  const shown = all(guide, /<pre tabindex="0" class="(\w+)"/g);
  assert.deepEqual(shown, steps.flatMap(() => ["sh", "ts", "python"]));
  assert.ok(guide.includes("http://localhost:8000"));
  // The guide explains no error envelope.
  assert.ok(!guide.includes("success: false"));
});

Deno.test("/docs shows every operation once, under the method and path of each of its routes", async () => {
  const { page, document } = await servedPage();
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`)
  );
  const shown = [...page.matchAll(/<b>([A-Z]+)<\/b> <code>(\/[^<]*)<\/code>/g)]
    .map(([, method, path]) => `${method} ${path}`);
  assert.deepEqual(shown.toSorted(), routes.toSorted());
  const titles = all(page, /<li><a href="#[^"]+">([^<]+)</g);
  assert.deepEqual(titles.toSorted(), [...new Set(titles)].toSorted());
  for (const { operationId } of operationsOf(document)) {
    assert.equal(page.split(`id="${operationId}"`).length - 1, 1, operationId);
  }
});

Deno.test("/docs shows email_id, the events with both signatures, and each error once", async () => {
  const { page } = await servedPage();
  assert.ok(page.includes('<a href="#schema-EmailId">EmailId</a>'));
  assert.match(page, /<section id="schema-EmailId">.*messageId.*<\/section>/s);
  for (const event of ["email.received", "email.processed", "email.sent", "email.failed"]) {
    assert.ok(page.includes(`<h3>${event}</h3>`), event);
  }
  assert.equal(page.split("X-Service-Signature</code>").length - 1, 1);
  assert.equal(page.split("webhook-signature</code>").length - 1, 1);
  const codes = all(page, /<section id="error-([A-Z_]+)">/g);
  const unanswered = ["METHOD_NOT_ALLOWED"];
  assert.deepEqual(
    codes.toSorted(),
    Object.keys(errorMessages).filter((code) => !unanswered.includes(code)).toSorted(),
  );
});

Deno.test("/docs describes each credential", async () => {
  const { page, document } = await servedPage();
  for (const [name, { description }] of Object.entries(document.components.securitySchemes)) {
    assert.match(page, new RegExp(`<tr>\\s*<td><code>${name}</code></td>`));
    assert.ok(page.includes(description.split(/[`,;]/)[0]), description);
  }
});

Deno.test("every link of /docs leads to exactly one place on the page", async () => {
  const { page } = await servedPage();
  const ids = all(page, / id="([^"]+)"/g);
  assert.equal(new Set(ids).size, ids.length);
  const links = all(page, / href="#([^"]+)"/g);
  assert.deepEqual(links.filter((each) => !ids.includes(each)), []);
  assert.ok(links.length > 200);
});

Deno.test("/docs fits a narrow screen: tables and code scroll by themselves, words break, columns stack", async () => {
  const { page } = await servedPage();
  const tables = page.split("<table").length - 1;
  assert.ok(tables > 50);
  assert.equal(page.split(/<div class="wide">\s*<table/).length - 1, tables);
  const style = /<style>(.*)<\/style>/s.exec(page)![1];
  const ruleOf = (selector: string) =>
    [...style.matchAll(/([^{}]+)\{([^{}]*)\}/g)].filter(([, selectors]) =>
      selectors.split(",").some((each) => each.trim() === selector)
    ).map(([, , rules]) => rules).join(" ");
  assert.match(ruleOf(".wide"), /overflow-x: auto/);
  assert.match(ruleOf("pre"), /overflow-x: auto/);
  assert.match(ruleOf("code"), /overflow-wrap: anywhere/);
  assert.match(style, /@media \(max-width: 50rem\) \{ body \{ display: block; \}/);
});

Deno.test("/docs names every field of a body", async () => {
  const { page } = await servedPage();
  const document = await servedDocument();
  const missing = Object.entries(document.components.schemas).flatMap(([name, { properties }]) =>
    Object.keys(properties ?? {}).filter((field) => !new RegExp(`<code>[^<]*${field}<`).test(page))
      .map((field) => `${name}.${field}`)
  );
  assert.deepEqual(missing, []);
});
