// A program that freezes for the milliseconds of its argument, and then waits to be ended.
const until = () => performance.now() + Number(Deno.args[0]);
setTimeout(() => {
  for (const end = until(); performance.now() < end;);
  console.log("thawed");
}, 50);
setInterval(() => {}, 1_000);
