"""The official SDK of the second generation with an extension that polls for tasks."""

from typing import Any, Literal

import anyio
import httpx2
from mcp import Client
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Request, RequestParams, Result
from pydantic import ConfigDict, Field
from steps import KEY, URL, main, report, text_of

TASKS = "io.modelcontextprotocol/tasks"


class Task(Result):
    model_config = ConfigDict(extra="allow", populate_by_name=True)
    result_type: Literal["task"] = Field(alias="resultType")
    task_id: str = Field(alias="taskId")
    poll_interval_ms: int = Field(alias="pollIntervalMs")


class DetailedTask(Result):
    model_config = ConfigDict(extra="allow", populate_by_name=True)
    status: str
    result: dict[str, Any] | None = None


class GetTaskParams(RequestParams):
    task_id: str = Field(alias="taskId", serialization_alias="taskId")


class GetTask(Request[GetTaskParams, Literal["tasks/get"]]):
    name_param = "taskId"
    method: Literal["tasks/get"] = "tasks/get"
    params: GetTaskParams


async def settle(task: Task, context: ClaimContext) -> CallToolResult:
    report("task", text=task.task_id, thrown=False)
    while True:
        await anyio.sleep(task.poll_interval_ms / 1000)
        request = GetTask(params=GetTaskParams(taskId=task.task_id))
        seen = await context.session.send_request(request, DetailedTask)
        if seen.status == "completed":
            return CallToolResult.model_validate(seen.result)


class Tasks(ClientExtension):
    identifier = TASKS

    def claims(self) -> list[ResultClaim[Any]]:
        return [ResultClaim(result_type="task", model=Task, resolve=settle)]


async def program() -> None:
    async with httpx2.AsyncClient(headers=KEY) as http:
        async with Client(streamable_http_client(URL, http_client=http), extensions=[Tasks()]) as client:
            arguments = {"executions": [{"tool": "ledger_post", "args": {"amount": 5}}]}
            answer = await client.call_tool("execute_tools", arguments)
            report("run", text=text_of(answer.content), thrown=False)


main(program)
