"""Strands Agents: the tools of its client."""

from mcp.client.streamable_http import streamablehttp_client
from steps import KEY, URL, main, named, walk
from strands.tools.mcp import MCPClient


async def program() -> None:
    named("strands-agents")
    with MCPClient(lambda: streamablehttp_client(URL, headers=KEY)) as client:
        tools = {tool.tool_name: tool.tool_spec for tool in client.list_tools_sync()}

        async def call(name: str, arguments: dict) -> str:
            answer = await client.call_tool_async("call", name, arguments)
            return "\n".join(part.get("text", "") for part in answer["content"])

        await walk(tools, call)


main(program)
