"""The Agents SDK of OpenAI: its own function tools, run as the runner runs them."""

import json

from agents import Agent, RunContextWrapper
from agents.mcp import MCPServerStreamableHttp, MCPUtil
from agents.tool_context import ToolContext
from steps import KEY, URL, main, named, walk


def text_of(output: object) -> str:
    parts = output if isinstance(output, list) else [output]
    return "\n".join(part["text"] if isinstance(part, dict) else str(getattr(part, "text", part)) for part in parts)


async def program() -> None:
    named("openai-agents")
    async with MCPServerStreamableHttp(params={"url": URL, "headers": KEY}) as server:
        agent = Agent(name="agent", mcp_servers=[server])
        made = await MCPUtil.get_function_tools(server, False, RunContextWrapper(None), agent)
        by_name = {tool.name: tool for tool in made}

        async def call(name: str, arguments: dict) -> str:
            text = json.dumps(arguments)
            context = ToolContext(context=None, tool_name=name, tool_call_id="call", tool_arguments=text)
            return text_of(await by_name[name].on_invoke_tool(context, text))

        await walk({name: tool.params_json_schema for name, tool in by_name.items()}, call)


main(program)
