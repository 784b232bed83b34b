# The OpenAI Agents SDK for Python with the tools of Letterbox. NOT TRIED: the package openai-agents could not be
# installed. The server's URL and header are those of openai_agents.mjs, which was tried.
import asyncio
import os

from agents import Agent, Runner
from agents.mcp import MCPServerStreamableHttp

BASE_URL = os.environ.get("LETTERBOX_URL", "http://localhost:8000")
HEADERS = {"Authorization": f"Bearer {os.environ['LETTERBOX_API_KEY']}"}


async def main() -> None:
    params = {"url": f"{BASE_URL}/v1/mcp", "headers": HEADERS}
    async with MCPServerStreamableHttp(name="letterbox", params=params) as letterbox:
        agent = Agent(name="mail", mcp_servers=[letterbox])
        result = await Runner.run(agent, "Which mailboxes do I have?")
        print(result.final_output)


asyncio.run(main())
