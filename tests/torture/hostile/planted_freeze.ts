// A program that freezes for the milliseconds of its argument, and then waits to be ended. It counts its own processor
// time, so that on a busy machine the freeze is as long.
import process from "node:process";

setTimeout(() => {
  const workedMs = () => process.cpuUsage().user / 1_000;
  for (const end = workedMs() + Number(Deno.args[0]); workedMs() < end;);
  console.log("thawed");
}, 50);
setInterval(() => {}, 1_000);
