// The Vercel AI SDK with the tools of Letterbox. The model is scripted: put a real one in its place.
import { createMCPClient } from "@ai-sdk/mcp";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { headers, url } from "./settings.mjs";

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};
const finish = (unified) => ({ finishReason: { unified, raw: unified }, usage, warnings: [] });
/** Asks for the mailboxes, then says that it has them. */
const model = new MockLanguageModelV4({
  doGenerate: [
    {
      content: [{ type: "tool-call", toolCallId: "1", toolName: "list_mailboxes", input: "{}" }],
      ...finish("tool-calls"),
    },
    { content: [{ type: "text", text: "These are your mailboxes." }], ...finish("stop") },
  ],
});

const client = await createMCPClient({ transport: { type: "http", url, headers } });
const tools = await client.tools();
console.log(`${Object.keys(tools).length} tools`);
const { steps, text } = await generateText({
  model,
  tools,
  prompt: "Which mailboxes do I have?",
  stopWhen: isStepCount(3),
});
for (const { toolName, output } of steps.flatMap((step) => step.toolResults)) {
  console.log(toolName, JSON.stringify(output.structuredContent));
}
console.log(text);
await client.close();
