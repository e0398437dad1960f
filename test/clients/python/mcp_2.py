"""The official SDK of the second generation."""

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from steps import KEY, URL, main, named, text_of, walk


async def program() -> None:
    named("mcp")
    async with httpx2.AsyncClient(headers=KEY) as http:
        async with Client(streamable_http_client(URL, http_client=http)) as client:
            tools = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}

            async def call(name: str, arguments: dict) -> str:
                return text_of((await client.call_tool(name, arguments)).content)

            await walk(tools, call)


main(program)
