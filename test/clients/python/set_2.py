"""The official SDK of the second generation at the address of a set."""

import asyncio
import json
import os

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

URL = os.environ["GATEWAY_URL"] + "/mcp/sets/work"
KEY = {"x-service-api-key": os.environ["GATEWAY_KEY"]}


async def program() -> None:
    async with httpx2.AsyncClient(headers=KEY) as http:
        async with Client(streamable_http_client(URL, http_client=http)) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            ran = await client.call_tool("time_now", {"timeZone": "Europe/Berlin"})
            missing = await client.call_tool("github_list_issues", {"owner": "a", "repo": "b"})
            print(json.dumps({"tools": tools, "text": ran.content[0].text, "missing": missing.content[0].text}))


asyncio.run(program())
