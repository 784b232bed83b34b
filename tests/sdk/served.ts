import { createApp } from "../../routes/app.ts";
import {
  account,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestOptions,
  type TestService,
  testService,
} from "../service.ts";

/** A whole service over HTTP on loopback, with an account and a mailbox. Its clock goes with the real time. */
export interface ServedService extends AsyncDisposable {
  base: string;
  test: TestService;
  owner: TestAccount;
  box: { mailbox_id: string; email_address: string };
  /** Delivers a message to the mailbox and waits for the jobs. Returns its email_id. */
  arrive(fields?: Record<string, string>, body?: string): Promise<string>;
}

export async function serveService(options: TestOptions = {}): Promise<ServedService> {
  let answer: Deno.ServeHandler<Deno.NetAddr> = () => new Response(null, { status: 503 });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request, info) => answer(request, info),
  );
  const base = `http://127.0.0.1:${server.addr.port}`;
  // Other programs call it with their own clocks; two instances would need two listeners.
  const test = await testService({
    instances: 1,
    ...options,
    env: { BASE_URL: base, ...options.env },
  });
  const tick = () => test.clock.advance(Math.max(0, Date.now() - test.clock.now()));
  tick();
  const ticking = setInterval(tick, 50);
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const app = createApp(test.service);
  answer = (request, info) => {
    // A program names the time before its request.
    tick();
    return app.fetch(request, info);
  };
  return {
    base,
    test,
    owner,
    box,
    async arrive(fields = {}, body) {
      tick();
      const { email_id } = await deliver(test, box.email_address, message(fields, body));
      await test.settle();
      return email_id;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(ticking);
      test.service.waiting.stop();
      await server.shutdown();
      await test[Symbol.asyncDispose]();
    },
  };
}

/** Whether there is a python3 that the client is made for. */
export function hasPython(): boolean {
  const script = "import sys; sys.exit(sys.version_info < (3, 10))";
  try {
    return new Deno.Command("python3", { args: ["-c", script] }).outputSync().success;
  } catch {
    return false;
  }
}
