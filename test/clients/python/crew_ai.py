"""CrewAI: its own tools, which fill every argument that is left out with null."""

from crewai_tools import MCPServerAdapter
from steps import KEY, URL, main, named, walk


async def program() -> None:
    named("crewai-tools")
    adapter = MCPServerAdapter({"url": URL, "transport": "streamable-http", "headers": KEY})
    tools = {tool.name: tool for tool in adapter.tools}

    def call(name: str, arguments: dict) -> str:
        return str(tools[name].run(**arguments))

    await walk({name: tool.args_schema.model_json_schema() for name, tool in tools.items()}, call)


main(program)
