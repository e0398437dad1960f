"""A server on version 1 of the package `mcp`: python mcp_1.py <mode> <port>."""

import sys

import mcp.types
from mcp.server.fastmcp import Context, FastMCP
from mcp.shared.exceptions import McpError
from tools import add_tools, transport_of

mode, port = sys.argv[1:]
server = FastMCP(
    "counterpart",
    host="127.0.0.1",
    port=int(port),
    json_response="json" in mode,
    stateless_http="stateless" in mode,
    log_level="ERROR",
)


def refusal(words: str) -> Exception:
    return McpError(mcp.types.ErrorData(code=-32000, message=words))


add_tools(server, "mcp", mcp.types, Context, ValueError, refusal, lambda ctx: ctx.session.send_tool_list_changed())
server.run(transport_of(mode))
