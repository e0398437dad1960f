"""A bike shop with Litestar. People sign in with a Bearer token."""

import os
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated

import uvicorn
from litestar import Litestar, delete, get, post, put
from litestar.connection import ASGIConnection
from litestar.datastructures import UploadFile
from litestar.enums import RequestEncodingType
from litestar.exceptions import NotAuthorizedException
from litestar.handlers import BaseRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.params import Body

received: list[dict] = []


@dataclass
class Bike:
    name: str
    gears: int | None = None
    tags: list[str] = field(default_factory=list)


@dataclass
class Purge:
    before: date


@dataclass
class Photo:
    photo: UploadFile
    caption: str | None = None


def signed_in(connection: ASGIConnection, _: BaseRouteHandler) -> None:
    if connection.headers.get("authorization") != "Bearer token-of-ana":
        raise NotAuthorizedException()


@get("/received", include_in_schema=False, sync_to_thread=False)
def read_received() -> list[dict]:
    return received


@get("/me", guards=[signed_in], sync_to_thread=False)
def read_me() -> dict[str, str]:
    received.append({"op": "me", "person": "ana"})
    return {"person": "ana"}


@get("/bikes", guards=[signed_in], sync_to_thread=False)
def list_bikes(color: list[str] | None = None, limit: int = 10) -> list[Bike]:
    received.append({"op": "list", "colors": color, "limit": limit})
    return []


@post("/bikes", guards=[signed_in], sync_to_thread=False)
def create_bike(data: Bike) -> Bike:
    received.append({"op": "create", "name": data.name, "gears": data.gears, "tags": data.tags})
    return data


@post("/bikes/purge", guards=[signed_in], sync_to_thread=False)
def purge_bikes(data: Purge) -> dict[str, int]:
    received.append({"op": "purge", "before": data.before.isoformat()})
    return {"purged": 0}


@get("/bikes/{bike_id:int}", guards=[signed_in], sync_to_thread=False)
def read_bike(bike_id: int) -> Bike:
    received.append({"op": "get", "id": bike_id})
    return Bike("a bike")


@put("/bikes/{bike_id:int}", guards=[signed_in], sync_to_thread=False)
def replace_bike(bike_id: int, data: Bike) -> Bike:
    received.append({"op": "replace", "id": bike_id, "name": data.name, "gears": data.gears, "tags": data.tags})
    return data


@delete("/bikes/{bike_id:int}", guards=[signed_in], sync_to_thread=False)
def delete_bike(bike_id: int) -> None:
    received.append({"op": "delete", "id": bike_id})


@post("/bikes/{bike_id:int}/photo", guards=[signed_in])
async def upload_photo(
    bike_id: int, data: Annotated[Photo, Body(media_type=RequestEncodingType.MULTI_PART)]
) -> dict[str, int]:
    content = (await data.photo.read()).decode()
    received.append({"op": "photo", "id": bike_id, "photo": content, "caption": data.caption})
    return {"id": bike_id}


app = Litestar(
    [read_received, read_me, list_bikes, create_bike, purge_bikes, read_bike, replace_bike, delete_bike, upload_photo],
    openapi_config=OpenAPIConfig(
        title="Bike shop",
        version="1",
        security=[{"token": []}],
        components=Components(security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}),
    ),
)
uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
