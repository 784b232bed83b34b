import type { Browser, BrowserContext, Page } from "playwright-core";
import { systemClock } from "../../domain/core/clock.ts";
import { personOf } from "../../domain/accounts/member.ts";
import { beginSession } from "../../domain/accounts/sessions.ts";
import type { Service } from "../../domain/core/service.ts";
import { createApp } from "../../routes/app.ts";
import { sessionCookieName } from "../../routes/http/access.ts";
import {
  account,
  FakeClock,
  inboundToken,
  mailbox,
  type TestAccount,
  type TestService,
  testService,
} from "../service.ts";
import { freePort, postMail } from "../service_process.ts";

/** The longest time of any action of a page, on a busy machine. */
export const longestMs = 30_000;

/** A browser waits in real time. */
class RunningClock extends FakeClock {
  override now(): number {
    return Date.now();
  }

  override wakeAt(at: number, wake: () => void): () => void {
    return systemClock.wakeAt(at, wake);
  }
}

/** A whole service behind a real port, with an account and a mailbox. */
export interface Stage extends AsyncDisposable {
  base: string;
  test: TestService;
  me: TestAccount;
  mailboxId: string;
  address: string;
  /** Posts a message as a mail provider would. Lines end in LF. Returns its email_id. */
  deliver(message: string): Promise<string>;
  /**
   * `instead` answers instead of the service, from the same address: a browser trusts answers that playwright makes
   * less.
   */
  hooks: { instead: Instead };
  /** Accepts connections again after `stop`. */
  start(): void;
  /** Ends every connection and accepts none. */
  stop(): Promise<void>;
}

/** Answers instead of the service; null: the service answers. */
export type Instead = (request: Request) => Response | null;

/** A service behind a port that can be stopped for a while, or replaced by other answers. */
export function serving(service: Service, port: number) {
  const app = createApp(service);
  const hooks: { instead: Instead } = { instead: () => null };
  let now: { server: Deno.HttpServer<Deno.NetAddr>; cut: AbortController };
  const start = () => {
    const cut = new AbortController();
    const server = Deno.serve(
      { hostname: "127.0.0.1", port, signal: cut.signal, onListen() {} },
      (request, info) => hooks.instead(request) ?? app.fetch(request, info),
    );
    now = { server, cut };
  };
  const stop = async () => {
    now.cut.abort();
    await now.server.finished;
  };
  start();
  return { start, stop, hooks };
}

export async function openStage(): Promise<Stage> {
  const port = freePort();
  const base = `http://localhost:${port}`;
  const test = await testService({
    // One process behind one port, as a browser sees it.
    instances: 1,
    env: { BASE_URL: base, WEBHOOK_ALLOW_INSECURE: "1" },
    parts: { clock: new RunningClock() },
  });
  const { start, stop, hooks } = serving(test.service, port);
  const me = await account(test);
  const box = await mailbox(test, me, "support-desk");
  return {
    base,
    test,
    me,
    mailboxId: box.mailbox_id,
    address: box.email_address,
    start,
    stop,
    hooks,
    async deliver(message) {
      const raw = message.replaceAll(/\r?\n/g, "\r\n");
      const sender = { from: "ada@example.net", token: inboundToken };
      const answer = await postMail(base, box.email_address, raw, sender);
      const body = await answer.json();
      return body.data.results[0].email_id;
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await test[Symbol.asyncDispose]();
    },
  };
}

/** A browser profile, with an empty page: what it has cached lives as long as a page of it. */
export async function openProfile(browser: Browser): Promise<BrowserContext> {
  const profile = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ["clipboard-read", "clipboard-write"],
    reducedMotion: "reduce",
  });
  await profile.newPage();
  return profile;
}

/** A page with its console errors and exceptions, of which it should have none. */
export interface Visit {
  page: Page;
  complaints: string[];
}

/**
 * A new page of a profile, without cookies and storage of earlier pages. The files of the dashboard may be cached: in a
 * profile of its own a page took 1.9 s of processor to show the list, in one that has shown it 1 s.
 */
export async function visit(
  profile: BrowserContext,
  { base, me, test }: Stage,
  { signedIn = true } = {},
): Promise<Visit> {
  const page = await profile.newPage();
  await profile.clearCookies();
  const session = await profile.newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin: base, storageTypes: "all" });
  await session.detach();
  if (signedIn) {
    // A separate session, because each has 300 requests a minute.
    const { refreshToken: value } = await beginSession(test.service, personOf(me));
    const name = sessionCookieName(test.service.settings);
    await profile.addCookies([{ name, value, url: base, httpOnly: true, sameSite: "Lax" }]);
  }
  page.setDefaultTimeout(longestMs);
  page.setDefaultNavigationTimeout(longestMs);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    const { url } = message.location();
    complaints.push(`${message.text()} ${url}`);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, complaints };
}
