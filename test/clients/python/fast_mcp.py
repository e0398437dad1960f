"""FastMCP's client."""

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from steps import KEY, URL, main, named, text_of, walk


async def program() -> None:
    named("fastmcp")
    async with Client(StreamableHttpTransport(URL, headers=KEY)) as client:
        listed = await client.list_tools()
        tools = {tool.name: tool.model_dump() for tool in listed}

        async def call(name: str, arguments: dict) -> str:
            return text_of((await client.call_tool(name, arguments)).content)

        await walk(tools, call)


main(program)
