"""smolagents: its own tools."""

from smolagents import MCPClient
from steps import KEY, URL, main, named, walk


async def program() -> None:
    named("smolagents")
    made = MCPClient({"url": URL, "transport": "streamable-http", "headers": KEY}, structured_output=False).get_tools()
    tools = {tool.name: tool for tool in made}

    def call(name: str, arguments: dict) -> str:
        return str(tools[name](**arguments))

    await walk({name: tool.inputs for name, tool in tools.items()}, call)


main(program)
