"""What every client does, as an agent would. Each program prints one line of JSON for each step: what its model would see."""

import asyncio
import inspect
import json
import os
import re
import sys
from importlib.metadata import version

URL = os.environ["GATEWAY_URL"] + "/mcp"
KEY = {"x-service-api-key": os.environ["GATEWAY_KEY"]}


def report(step: str, **seen: object) -> None:
    print(json.dumps({"step": step, **seen}, default=str), flush=True)


def named(*packages: str) -> None:
    report("client", versions={package: version(package) for package in packages})


def text_of(blocks: list) -> str:
    return "\n".join(getattr(block, "text", None) or "" for block in blocks)


async def walk(tools: dict, call) -> None:
    """`tools` has the schema of each tool as the framework shows it. `call` returns what the model reads."""
    report("list", tools=sorted(tools), keepsMembers='"args"' in json.dumps(tools["execute_tools"], default=str))

    async def see(step: str, name: str, arguments: dict) -> str:
        try:
            answer = call(name, arguments)
            text, thrown = str(await answer if inspect.isawaitable(answer) else answer), False
        except Exception as error:
            text, thrown = str(error), True
        report(step, text=text, thrown=thrown)
        return text

    await see("search", "search_tools", {"query": "current time in a time zone", "limit": 3})
    ran = {"tool": "time_now", "args": {"timeZone": "Europe/Berlin"}}
    await see("run", "execute_tools", {"executions": [ran]})
    # The model gets two things wrong, reads why, and mends them as the text says.
    told = await see("wrong", "get_tool_schema", {"tool": "[]"})
    if re.search(r"tool: must be a name", told):
        await see("mended", "get_tool_schema", {"tool": "time_now"})
    failing = {"tool": "time_now", "args": {"timezone": "Europe/Berlin"}}
    told = await see("failing", "execute_tools", {"executions": [failing]})
    known = re.search(r"timezone.*?known: (\w+)", told, re.S)
    if known:
        mended = {"tool": "time_now", "args": {known[1]: "Europe/Berlin"}}
        await see("repaired", "execute_tools", {"executions": [mended]})


def main(program) -> None:
    """Ends at once afterwards: some libraries take long to close, or wait for ever."""
    outcome = program()
    if inspect.isawaitable(outcome):
        asyncio.run(outcome)
    sys.stdout.flush()
    os._exit(0)
