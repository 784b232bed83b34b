import { apiBases, families, type RouteGroup } from "../http/families.ts";

/** A route of v1 for sessions: the same operation at another path. */
export type SessionCopy<R> = R & {
  /** The path of the v1 route, which documents both. */
  copyOf: string;
};

/**
 * Every route of v1 but health, under `/api` for the session cookie and access tokens: links, images and event streams
 * send no Authorization header. Routes of `own`, which the dashboard has itself, are left out.
 */
export function sessionCopies<R extends RouteGroup & { method: string; path: string }>(
  routes: readonly R[],
  own: readonly { method: string; path: string }[] = [],
): SessionCopy<R>[] {
  const base = `${apiBases.v1}/`;
  return routes.filter(({ path }) => path.startsWith(base) && path !== families.health.path)
    .map((route) => ({
      ...route,
      family: "dashboard" as const,
      path: `${apiBases.dashboard}/${route.path.slice(base.length)}`,
      copyOf: route.path,
    }))
    .filter((copy) =>
      !own.some(({ method, path }) => method === copy.method && path === copy.path)
    );
}
