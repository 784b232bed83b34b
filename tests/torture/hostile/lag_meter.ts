// Loaded into the service's process (`deno run --preload`): measures how long its main thread is blocked.

import { waitedMs } from "../../own_time.ts";

/** The longest gap since the last question. */
export interface Lag {
  /** Between two turns of the event loop, ms. */
  gapMs: number;
  /** The same without the thread's wait for a processor, ms. */
  freezeMs: number;
}

const tickMs = 5;

/** Reads the clock every few milliseconds; a question returns the longest gap and resets it. */
export function startLagMeter(): { longest(): Lag; stop(): void } {
  let last = performance.now();
  let lastWait = waitedMs();
  let longest: Lag = { gapMs: 0, freezeMs: 0 };
  const look = () => {
    const now = performance.now(), wait = waitedMs();
    const gapMs = Math.max(0, now - last - tickMs);
    const freezeMs = Math.max(0, gapMs - (wait - lastWait));
    longest = {
      gapMs: Math.max(longest.gapMs, gapMs),
      freezeMs: Math.max(longest.freezeMs, freezeMs),
    };
    last = now;
    lastWait = wait;
  };
  const timer = setInterval(look, tickMs);
  Deno.unrefTimer(timer);
  return {
    longest() {
      // A question may be answered before the timer fires, so the current gap counts too.
      look();
      const answer = longest;
      longest = { gapMs: 0, freezeMs: 0 };
      return answer;
    },
    stop: () => clearInterval(timer),
  };
}

const port = Deno.env.get("LAG_METER_PORT");
if (port) {
  const meter = startLagMeter();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: Number(port), onListen: () => {} },
    () => Response.json(meter.longest()),
  );
  server.unref();
}
