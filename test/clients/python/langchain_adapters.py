"""LangChain's adapters: its own structured tools."""

from langchain_mcp_adapters.client import MultiServerMCPClient
from steps import KEY, URL, main, named, walk


async def program() -> None:
    named("langchain-mcp-adapters")
    connection = {"transport": "streamable_http", "url": URL, "headers": KEY}
    tools = {tool.name: tool for tool in await MultiServerMCPClient({"gateway": connection}).get_tools()}

    async def call(name: str, arguments: dict) -> str:
        message = await tools[name].ainvoke({"type": "tool_call", "id": "call", "name": name, "args": arguments})
        return message.text if isinstance(message.text, str) else message.text()

    await walk({name: tool.args for name, tool in tools.items()}, call)


main(program)
