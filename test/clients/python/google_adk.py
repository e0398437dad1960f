"""Google's Agent Development Kit: the tools of its toolset."""

import json
from types import SimpleNamespace

from google.adk.tools.mcp_tool import McpToolset, StreamableHTTPConnectionParams
from steps import KEY, URL, main, named, walk


async def program() -> None:
    named("google-adk")
    toolset = McpToolset(connection_params=StreamableHTTPConnectionParams(url=URL, headers=KEY))
    tools = {tool.name: tool for tool in await toolset.get_tools()}

    def shown(tool: object) -> dict:
        declared = tool._get_declaration()
        return declared.parameters_json_schema or declared.parameters.model_dump(exclude_none=True)

    async def call(name: str, arguments: dict) -> str:
        answer = await tools[name]._run_async_impl(args=arguments, tool_context=SimpleNamespace(), credential=None)
        return "\n".join(part.get("text", "") for part in answer["content"]) if "content" in answer else json.dumps(answer)

    await walk({name: shown(tool) for name, tool in tools.items()}, call)


main(program)
