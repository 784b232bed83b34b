# The OpenAI Agents SDK for Python with the tools of Letterbox. The model is scripted: leave `model` out for a real one.
import asyncio
import os

from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

BASE_URL = os.environ.get("LETTERBOX_URL", "http://localhost:8000")
HEADERS = {"Authorization": f"Bearer {os.environ['LETTERBOX_API_KEY']}"}

ANSWER = ResponseOutputText(type="output_text", text="These are your mailboxes.", annotations=[])
OUTPUTS = [
    ResponseFunctionToolCall(
        type="function_call", call_id="1", name="list_mailboxes", arguments="{}"
    ),
    ResponseOutputMessage(
        type="message", id="2", role="assistant", status="completed", content=[ANSWER]
    ),
]


class Scripted(Model):
    """Asks for the mailboxes, then says that it has them."""

    async def get_response(self, *_args, **_options):
        return ModelResponse(output=[OUTPUTS.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *_args, **_options):
        raise NotImplementedError


async def main() -> None:
    set_tracing_disabled(True)
    params = {"url": f"{BASE_URL}/v1/mcp", "headers": HEADERS}
    async with MCPServerStreamableHttp(name="letterbox", params=params) as letterbox:
        print(len(await letterbox.list_tools()), "tools")
        agent = Agent(name="mail", model=Scripted(), mcp_servers=[letterbox])
        result = await Runner.run(agent, "Which mailboxes do I have?")
        for item in result.new_items:
            if item.type == "tool_call_output_item":
                print("list_mailboxes", item.output)
        print(result.final_output)


asyncio.run(main())
