"""Pydantic AI: the tools of its toolset, run as an agent runs them."""

import json

from fastmcp.client.transports import StreamableHttpTransport
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, ToolCallPart, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from steps import KEY, URL, main, named, walk


async def program() -> None:
    named("pydantic-ai-slim")
    toolset = MCPToolset(StreamableHttpTransport(URL, headers=KEY))
    shown: dict = {}
    asked: list = []
    read: list = []

    async def model(messages: list, info: AgentInfo) -> ModelResponse:
        shown.update({tool.name: tool.parameters_json_schema for tool in info.function_tools})
        if asked:
            name, arguments = asked.pop()
            return ModelResponse(parts=[ToolCallPart(name, arguments)])
        part = messages[-1].parts[-1]
        content = getattr(part, "content", "")
        read.append(content if isinstance(content, str) else json.dumps(content, default=str))
        return ModelResponse(parts=[TextPart("done")])

    agent = Agent(FunctionModel(model), toolsets=[toolset])

    async def call(name: str, arguments: dict) -> str:
        asked.append((name, arguments))
        await agent.run("go")
        return read.pop()

    async with agent:
        await agent.run("go")
        await walk(shown, call)


main(program)
