"""A server on version 2 of the package `mcp`: python mcp_2.py <mode> <port>."""

import sys

import mcp_types
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from tools import add_tools, transport_of

mode, port = sys.argv[1:]
server = MCPServer("counterpart", log_level="ERROR")


def refusal(words: str) -> Exception:
    return MCPError(code=-32000, message=words)


async def tell_changed(ctx: Context) -> None:
    await ctx.notify_tools_changed()
    await ctx.session.send_tool_list_changed()


add_tools(server, "mcp", mcp_types, Context, ToolError, refusal, tell_changed)
transport = transport_of(mode)
http = {"json_response": "json" in mode, "stateless_http": "stateless" in mode}
if transport == "stdio":
    server.run("stdio")
else:
    server.run(transport, host="127.0.0.1", port=int(port), **(http if transport == "streamable-http" else {}))
