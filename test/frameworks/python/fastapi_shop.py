"""A bike shop with FastAPI. WAY says how people sign in: "password" with a token, "cookie" with a session."""

import os
from datetime import date
from typing import Annotated

import uvicorn
from fastapi import Depends, FastAPI, Form, HTTPException, Query, UploadFile
from fastapi.security import APIKeyCookie, OAuth2PasswordBearer
from pydantic import BaseModel

app = FastAPI(title="Bike shop")
received: list[dict] = []
scheme = APIKeyCookie(name="sid") if os.environ.get("WAY") == "cookie" else OAuth2PasswordBearer(tokenUrl="token")


def find_person(token: Annotated[str, Depends(scheme)]) -> str:
    if token != "token-of-ana":
        raise HTTPException(401, "Not authenticated")
    return "ana"


Person = Annotated[str, Depends(find_person)]


class Bike(BaseModel):
    name: str
    gears: int | None = None
    tags: list[str] = []


class Purge(BaseModel):
    before: date


@app.get("/received", include_in_schema=False)
def read_received():
    return received


@app.get("/me")
def read_me(person: Person):
    received.append({"op": "me", "person": person})
    return {"person": person}


@app.get("/bikes", tags=["bikes"])
def list_bikes(person: Person, color: Annotated[list[str], Query()] = [], limit: int = 10):
    received.append({"op": "list", "colors": color, "limit": limit})
    return []


@app.post("/bikes", tags=["bikes"], status_code=201)
def create_bike(person: Person, bike: Bike):
    received.append({"op": "create", **bike.model_dump()})
    return bike


@app.post("/bikes/purge", tags=["bikes"])
def purge_bikes(person: Person, purge: Purge):
    received.append({"op": "purge", "before": purge.before.isoformat()})
    return {"purged": 0}


@app.get("/bikes/{bike_id}", tags=["bikes"])
def read_bike(person: Person, bike_id: int):
    received.append({"op": "get", "id": bike_id})
    return {"id": bike_id}


@app.put("/bikes/{bike_id}", tags=["bikes"])
def replace_bike(person: Person, bike_id: int, bike: Bike):
    received.append({"op": "replace", "id": bike_id, **bike.model_dump()})
    return bike


@app.delete("/bikes/{bike_id}", tags=["bikes"], status_code=204)
def delete_bike(person: Person, bike_id: int):
    received.append({"op": "delete", "id": bike_id})


@app.post("/bikes/{bike_id}/photo", tags=["bikes"])
async def upload_photo(
    person: Person, bike_id: int, photo: UploadFile | None = None, caption: Annotated[str | None, Form()] = None
):
    content = None if photo is None else (await photo.read()).decode()
    received.append({"op": "photo", "id": bike_id, "photo": content, "caption": caption})
    return {"id": bike_id}


uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
