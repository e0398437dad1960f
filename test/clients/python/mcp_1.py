"""The official SDK of the first generation."""

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client
from steps import KEY, URL, main, named, text_of, walk


async def program() -> None:
    named("mcp")
    async with streamablehttp_client(URL, headers=KEY) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        tools = {tool.name: tool.inputSchema for tool in (await session.list_tools()).tools}

        async def call(name: str, arguments: dict) -> str:
            return text_of((await session.call_tool(name, arguments)).content)

        await walk(tools, call)


main(program)
