# LangChain for Python with the tools of Letterbox, without a model: `create_agent(model, tools)` takes them.
import asyncio
import os

from langchain.mcp import MCPAdapter

BASE_URL = os.environ.get("LETTERBOX_URL", "http://localhost:8000")
HEADERS = {"Authorization": f"Bearer {os.environ['LETTERBOX_API_KEY']}"}


async def main() -> None:
    # The text of a result and its structured content are the same; a model needs one of them.
    letterbox = {"url": f"{BASE_URL}/v1/mcp?structured=off", "headers": HEADERS}
    async with MCPAdapter({"mcpServers": {"letterbox": letterbox}}) as adapter:
        tools = await adapter.list_tools()
        print(len(tools), "tools")
        [list_mailboxes] = [tool for tool in tools if tool.name == "list_mailboxes"]
        print(await list_mailboxes.ainvoke({}))


asyncio.run(main())
