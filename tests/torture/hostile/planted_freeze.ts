// A program that freezes for the milliseconds of its argument, then waits to be ended. It counts processor time, so that
// the freeze is as long on a busy machine.
import process from "node:process";

setTimeout(() => {
  const workedMs = () => process.cpuUsage().user / 1_000;
  for (const end = workedMs() + Number(Deno.args[0]); workedMs() < end;);
  console.log("thawed");
}, 50);
setInterval(() => {}, 1_000);
