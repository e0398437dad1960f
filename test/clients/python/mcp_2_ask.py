"""Calls a tool that a person has to approve. Prints each question and reads the person's answer from its input.

The SDK says that it opens addresses whenever it can be asked, so the gateway sends no form.
"""

import asyncio
import json
import os
import sys

import httpx2
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client


async def ask(context, params: types.ElicitRequestParams) -> types.ElicitResult:
    print(json.dumps(params.model_dump(mode="json", by_alias=True, exclude_none=True)), flush=True)
    return types.ElicitResult(action=(await asyncio.to_thread(sys.stdin.readline)).strip())


async def program() -> None:
    url = os.environ["GATEWAY_URL"] + "/mcp"
    async with httpx2.AsyncClient(headers=json.loads(os.environ["GATEWAY_KEY"])) as http:
        async with Client(streamable_http_client(url, http_client=http), elicitation_callback=ask) as client:
            executions = [{"tool": "shout", "args": {"text": "a"}}]
            result = await client.call_tool("execute_tools", {"executions": executions})
            print(result.content[0].text, flush=True)


asyncio.run(program())
