"""LlamaIndex: its own function tools, with models made of the schemas."""

from llama_index.tools.mcp import BasicMCPClient, McpToolSpec
from steps import KEY, URL, main, named, walk


async def program() -> None:
    named("llama-index-tools-mcp")
    made = await McpToolSpec(client=BasicMCPClient(URL, headers=KEY)).to_tool_list_async()
    tools = {tool.metadata.name: tool for tool in made}

    async def call(name: str, arguments: dict) -> str:
        return (await tools[name].acall(**arguments)).content

    await walk({name: tool.metadata.fn_schema.model_json_schema() for name, tool in tools.items()}, call)


main(program)
