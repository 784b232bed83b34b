// LangChain with the tools of Letterbox. The model is scripted: put a real one in its place, with `bindTools(tools)`.
import { AIMessage } from "@langchain/core/messages";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { headers, url } from "./settings.mjs";

/** What a model answers that wants to see the mailboxes. */
const answer = new AIMessage({
  content: "",
  tool_calls: [{ type: "tool_call", id: "1", name: "list_mailboxes", args: {} }],
});

const client = new MultiServerMCPClient({
  mcpServers: { letterbox: { transport: "http", url, headers } },
});
const tools = await client.getTools();
console.log(`${tools.length} tools`);
for (const call of answer.tool_calls) {
  const tool = tools.find(({ name }) => name === call.name);
  const { content } = await tool.invoke(call);
  console.log(call.name, content);
}
await client.close();
