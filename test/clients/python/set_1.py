"""The official SDK of the first generation at the address of a set."""

import asyncio
import json
import os

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

URL = os.environ["GATEWAY_URL"] + "/mcp/sets/work"
KEY = {"x-service-api-key": os.environ["GATEWAY_KEY"]}


async def program() -> None:
    async with streamablehttp_client(URL, headers=KEY) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        tools = [tool.name for tool in (await session.list_tools()).tools]
        ran = await session.call_tool("time_now", {"timeZone": "Europe/Berlin"})
        missing = await session.call_tool("github_list_issues", {"owner": "a", "repo": "b"})
        print(json.dumps({"tools": tools, "text": ran.content[0].text, "missing": missing.content[0].text}))


asyncio.run(program())
