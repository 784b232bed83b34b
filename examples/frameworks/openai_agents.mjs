// The OpenAI Agents SDK with the tools of Letterbox. The model is scripted: leave `model` out for a real one.
import { Agent, MCPServerStreamableHttp, run, setTracingDisabled, Usage } from "@openai/agents";
import { headers, url } from "./settings.mjs";

setTracingDisabled(true);
const outputs = [
  [{ type: "function_call", callId: "1", name: "list_mailboxes", arguments: "{}", status: "completed" }],
  [{
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "These are your mailboxes." }],
  }],
];
/** Asks for the mailboxes, then says that it has them. */
const model = {
  getResponse: () => Promise.resolve({ usage: new Usage(), output: outputs.shift() }),
  getStreamedResponse() {
    throw new Error("not scripted");
  },
};

const letterbox = new MCPServerStreamableHttp({ name: "letterbox", url, requestInit: { headers } });
await letterbox.connect();
console.log(`${(await letterbox.listTools()).length} tools`);
const agent = new Agent({ name: "mail", model, mcpServers: [letterbox] });
const { newItems, finalOutput } = await run(agent, "Which mailboxes do I have?");
for (const { type, output } of newItems) {
  if (type === "tool_call_output_item") console.log("list_mailboxes", JSON.stringify(output));
}
console.log(finalOutput);
await letterbox.close();
