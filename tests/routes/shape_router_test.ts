import assert from "node:assert/strict";
import { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { served } from "../../routes/app.ts";
import { ShapeRouter } from "../../routes/shape_router.ts";

function appWith(router: ShapeRouter<never> | TrieRouter<never>): Hono {
  const app = new Hono({ router: router as never });
  app.use("*", async (c, next) => (await next(), c.header("X-All", "1")));
  app.use("/v1/*", async (c, next) => (await next(), c.header("X-V1", c.req.path)));
  for (const { method, path } of Object.values(served).flat()) {
    app.on(method, path, (c) => c.json({ method, path, params: c.req.param() }));
  }
  app.get("/app/*", (c) => c.text("page"));
  for (const { path } of Object.values(served).flat()) app.all(path, (c) => c.text(path, 405));
  return app;
}

/** Paths of every route, with ordinary, encoded and misleading parameters, and paths that no route has. */
function pathsOf(path: string): string[] {
  const filled = (value: string) => path.replace(/:\w+/g, value);
  return [
    ...["a1", "wait", "*", ":", ":messageId", "%2F", "a%20b", "%zz", "emails", "ü", "."].map(
      filled,
    ),
    `${filled("x")}/`,
    `${filled("x")}/more`,
    filled(""),
    `/${filled("x")}`,
    filled("x").toUpperCase(),
  ];
}

Deno.test("every path has the same route and parameters as with Hono's own router, the second time too", async () => {
  const own = appWith(new ShapeRouter()), trie = appWith(new TrieRouter());
  const routes = Object.values(served).flat();
  const paths = new Set([
    ...["/", "//", "/app", "/app/", "/app/a/b/c", "/v1", "/v1/", "/v1//api", "/nowhere"],
    `/v1/api/${"a/".repeat(100)}`,
    ...routes.flatMap(({ path }) => pathsOf(path)),
  ]);
  for (const path of paths) {
    for (const method of ["GET", "POST", "DELETE", "HEAD", "BREW"]) {
      const url = `http://localhost${path}`;
      const [once, again, expected] = await Promise.all(
        [own, own, trie].map(async (app) => {
          const answer = await app.fetch(new Request(url, { method }));
          return [answer.status, [...answer.headers], await answer.text()];
        }),
      );
      assert.deepEqual(once, expected, `${method} ${path}`);
      assert.deepEqual(again, expected, `${method} ${path}`);
    }
  }
});
