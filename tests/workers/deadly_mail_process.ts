import { openEmbeddedIndex } from "../../adapters/search_index/embedded.ts";
import { account, data, deliver, mailbox, message, testService } from "../service.ts";

// A process of the service on the store of the first argument, which kills itself when a mail with the subject "deadly"
// is indexed. The first process accepts the mail; each one that reaches its end prints what the API shows.
const [folder] = Deno.args;
const notes = `${folder}/notes.json`;
const isFirst = !await Deno.stat(notes).catch(() => null);
const index = openEmbeddedIndex({ path: null });
const searchIndex: typeof index = {
  ...index,
  add(emails) {
    const subjects = emails.map(({ subject }) => subject);
    console.log(JSON.stringify(subjects.toSorted()));
    if (subjects.includes("deadly")) Deno.kill(Deno.pid, "SIGKILL");
    return index.add(emails);
  },
};
const kv = await Deno.openKv(`${folder}/kv.sqlite`);
const test = await testService({ kv, exclusive: true, parts: { searchIndex } });
if (isFirst) {
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await Deno.writeTextFile(notes, JSON.stringify(owner.key));
  const subjects = ["one", "deadly", "two"];
  await Promise.all(
    subjects.map((Subject) => deliver(test, box.email_address, message({ Subject }))),
  );
}
await test.settle();
const token: string = JSON.parse(await Deno.readTextFile(notes));
for (const { email_id } of await data(test.request("/v1/api/emails?order=asc", { token }))) {
  const { subject, problem, body_text } = await data(
    test.request(`/v1/api/emails/${email_id}`, { token }),
  );
  const raw = await test.request(`/v1/api/emails/${email_id}/raw`, { token });
  const rawBytes = (await raw.arrayBuffer()).byteLength;
  console.log(JSON.stringify({ subject, problem, body_text, raw: rawBytes > 0 }));
}
Deno.exit(0);
