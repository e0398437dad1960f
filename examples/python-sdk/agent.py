"""Finds a tool for a task, reads its schema and runs it. Asks the person to connect the service if that is needed."""

import asyncio
import json
import os
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

GATEWAY_URL = os.environ.get("GATEWAY_URL", "http://localhost:3000")
GATEWAY_KEY = os.environ.get("GATEWAY_KEY")
if not GATEWAY_KEY:
    print("GATEWAY_KEY is missing: a key of the gateway. Make one in the portal, on Agents.", file=sys.stderr)
    sys.exit(2)

task = sys.argv[1] if len(sys.argv) > 1 else "current time in a time zone"
args = json.loads(sys.argv[2] if len(sys.argv) > 2 else '{"timeZone": "Europe/Berlin"}')


async def run_task(client: Client) -> str | None:
    """Returns what went wrong, or None."""

    async def call(name: str, values: dict) -> dict:
        # Each of the gateway's nine tools answers one text of JSON.
        answer = await client.call_tool(name, values)
        return json.loads(answer.content[0].text)

    found = await call("search_tools", {"query": task, "limit": 1})
    if not found["tools"]:
        return f'No tool was found for "{task}"'
    tool = found["tools"][0]
    print(f"Found {tool['name']}: {tool['description']}")

    described = await call("get_tool_schema", {"tool": tool["name"]})
    print("Arguments:", ", ".join(described["schema"]["properties"]))

    async def execute() -> dict:
        answer = await call("execute_tools", {"executions": [{"tool": tool["name"], "args": args}]})
        return answer["results"][0]

    outcome = await execute()
    if outcome.get("error") == "NOT_CONNECTED":
        begun = await call("connect", {"integration": tool["integration"]})
        if "url" not in begun:
            return begun["error"]
        print(f"Open {begun['url']} and connect {tool['integration']}", flush=True)
        waited = await call("wait_for_connection", {"connectionId": begun["connectionId"]})
        print("Connection:", waited["status"])
        outcome = await execute()
    if "error" in outcome:
        return outcome.get("message", outcome["error"])
    print(json.dumps(outcome["result"], indent=2, ensure_ascii=False))
    return None


async def main() -> str | None:
    async with httpx2.AsyncClient(headers={"x-service-api-key": GATEWAY_KEY}, timeout=60) as http:
        transport = streamable_http_client(f"{GATEWAY_URL}/mcp", http_client=http)
        async with Client(transport) as client:
            return await run_task(client)


sys.exit(asyncio.run(main()))
