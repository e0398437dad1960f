"""A server on the package `fastmcp`, versions 3 and 4: python fast_mcp.py <mode> <port>."""

import sys

from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from tools import add_tools, transport_of

try:
    import mcp_types as types
except ModuleNotFoundError:
    import mcp.types as types

mode, port = sys.argv[1:]
server = FastMCP("counterpart")


async def tell_changed(ctx: Context) -> None:
    await ctx.send_notification(types.ToolListChangedNotification(method="notifications/tools/list_changed"))


add_tools(server, "fastmcp", types, Context, ValueError, ToolError, tell_changed)
transport = transport_of(mode)
http = {"json_response": "json" in mode, "stateless_http": "stateless" in mode}
if transport == "stdio":
    server.run("stdio", show_banner=False, log_level="ERROR")
else:
    more = http if transport == "streamable-http" else {}
    server.run(transport, show_banner=False, log_level="ERROR", host="127.0.0.1", port=int(port), **more)
