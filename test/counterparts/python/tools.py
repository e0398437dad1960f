"""The tools of the counterparts, for every SDK of Python. A program brings its server, and what its SDK calls differently."""

import os
from importlib.metadata import version as version_of
from typing import Any, Optional

import anyio
from pydantic import BaseModel

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
NOISE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="


class Sum(BaseModel):
    sum: int


class State(BaseModel):
    begun: int
    cancelled: int


class Line(BaseModel):
    item: str
    count: int


class Order(BaseModel):
    customer: dict[str, str]
    lines: list[Line]


class Tree(BaseModel):
    value: int
    children: list["Tree"] = []


def add_tools(
    server: Any, package: str, types: Any, Context: type, Failure: Any, Refusal: Any, tell_changed: Any
) -> None:
    state = State(begun=0, cancelled=0)

    @server.tool()
    def about() -> str:
        """Names the version of the SDK"""
        return version_of(package)

    @server.tool()
    def text(word: str, loud: Optional[bool] = None) -> str:
        """Says a word"""
        return f"{'SAID' if loud else 'said'}: {word}"

    @server.tool()
    def structured(a: int, b: int) -> Sum:
        """Adds two integers"""
        return Sum(sum=a + b)

    @server.tool()
    def picture() -> types.ImageContent:
        """Shows a picture"""
        return types.ImageContent.model_validate({"type": "image", "data": PIXEL, "mimeType": "image/png"})

    @server.tool()
    def audio() -> types.AudioContent:
        """Plays a sound"""
        return types.AudioContent.model_validate({"type": "audio", "data": NOISE, "mimeType": "audio/wav"})

    @server.tool()
    def resource() -> types.EmbeddedResource:
        """Gives a file"""
        file = {"uri": "test://files/data.bin", "blob": "AAEC", "mimeType": "application/x-data"}
        return types.EmbeddedResource.model_validate({"type": "resource", "resource": file})

    @server.tool()
    def tool_error() -> str:
        """Fails"""
        raise Failure("the disk is full")

    @server.tool()
    def protocol_error() -> str:
        """Fails as a request"""
        raise Refusal("the request is refused")

    @server.tool()
    async def progress(ctx: Context, pause: float = 0) -> str:
        """Tells three steps"""
        for step in (1, 2, 3):
            await anyio.sleep(pause)
            await ctx.report_progress(step, 3, f"step {step}")
        return "done"

    # The gateway cancels calls that only read.
    @server.tool(annotations=types.ToolAnnotations.model_validate({"readOnlyHint": True}))
    async def slow(seconds: float) -> str:
        """Takes its time"""
        state.begun += 1
        try:
            await anyio.sleep(seconds)
        except BaseException:
            state.cancelled += 1
            raise
        return "waited"

    @server.tool()
    def seen() -> State:
        """Counts the slow calls, and those that were cancelled"""
        return state

    @server.tool()
    def large() -> str:
        """Says two megabytes"""
        return "x" * 2_000_000

    @server.tool()
    def nested(order: Order) -> str:
        """Takes an order"""
        lines = ", ".join(f"{line.count} {line.item}" for line in order.lines)
        return f"{order.customer['name']}: {lines}"

    @server.tool()
    def recursive(tree: Tree) -> int:
        """Adds up a tree"""

        def total(part: Tree) -> int:
            return part.value + sum(total(child) for child in part.children)

        return total(tree)

    @server.tool()
    def pair(point: tuple[int, int]) -> str:
        """Takes a tuple"""
        return f"{point[0]} and {point[1]}"

    @server.tool()
    async def grow(name: str, ctx: Context) -> str:
        """Adds a tool"""

        def added() -> str:
            return "new"

        server.tool(name=name, description="Was added later")(added)
        await tell_changed(ctx)
        return "grown"

    @server.tool()
    def die() -> str:
        """Ends the process"""
        os._exit(1)


def transport_of(mode: str) -> str:
    return mode if mode in ("stdio", "sse") else "streamable-http"
