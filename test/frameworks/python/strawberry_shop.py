"""A bike shop with Strawberry. Whoever sends no Bearer token is refused."""

import os

import strawberry
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from strawberry.fastapi import GraphQLRouter

received: list[dict] = []


@strawberry.type
class Bike:
    id: int
    name: str


@strawberry.type
class Query:
    @strawberry.field
    def bikes(self, colors: list[str], limit: int = 10) -> list[Bike]:
        received.append({"op": "list", "colors": colors, "limit": limit})
        return [Bike(id=42, name="a bike")]


@strawberry.type
class Mutation:
    @strawberry.mutation
    def delete_bike(self, id: int) -> bool:
        received.append({"op": "delete", "id": id})
        return True


app = FastAPI(openapi_url=None)
app.include_router(GraphQLRouter(strawberry.Schema(Query, Mutation)), prefix="/graphql")


@app.get("/received")
def read_received():
    return received


@app.middleware("http")
async def sign_in(request: Request, call_next):
    # Tools that read the schema are let in, as most services do.
    body = await request.body()
    is_open = request.url.path == "/received" or request.method == "GET" or b"__schema" in body or b"__typename" in body
    if not is_open and request.headers.get("authorization") != "Bearer token-of-ana":
        return JSONResponse({"errors": [{"message": "Sign in"}]}, 401)
    return await call_next(request)


uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
