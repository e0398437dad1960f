"""A bike shop with Flask and APIFlask. People sign in with a key in a header."""

import os

from apiflask import APIFlask, HTTPTokenAuth, Schema
from apiflask.fields import Date, File, Integer, List, String

app = APIFlask(__name__, title="Bike shop", version="1")
auth = HTTPTokenAuth(scheme="ApiKey", header="X-Shop-Key")
received: list[dict] = []


class Bike(Schema):
    name = String(required=True)
    gears = Integer(allow_none=True)
    tags = List(String())


class Listing(Schema):
    color = List(String(), load_default=list)
    limit = Integer(load_default=10)


class Purge(Schema):
    before = Date(required=True)


class Photo(Schema):
    photo = File(required=True)
    caption = String()


@auth.verify_token
def verify_token(token):
    return "ana" if token == "token-of-ana" else None


@app.get("/received")
@app.doc(hide=True)
def read_received():
    return received


@app.get("/me")
@app.auth_required(auth)
def read_me():
    received.append({"op": "me", "person": auth.current_user})
    return {"person": auth.current_user}


@app.get("/bikes")
@app.auth_required(auth)
@app.input(Listing, location="query")
def list_bikes(query_data):
    received.append({"op": "list", "colors": query_data["color"], "limit": query_data["limit"]})
    return []


@app.post("/bikes")
@app.auth_required(auth)
@app.input(Bike)
@app.output(Bike, status_code=201)
def create_bike(json_data):
    received.append({"op": "create", **json_data})
    return json_data


@app.post("/bikes/purge")
@app.auth_required(auth)
@app.input(Purge)
def purge_bikes(json_data):
    received.append({"op": "purge", "before": json_data["before"].isoformat()})
    return {}


@app.get("/bikes/<int:bike_id>")
@app.auth_required(auth)
@app.output(Bike)
def read_bike(bike_id):
    received.append({"op": "get", "id": bike_id})
    return {"name": "a bike"}


@app.put("/bikes/<int:bike_id>")
@app.auth_required(auth)
@app.input(Bike)
@app.output(Bike)
def replace_bike(bike_id, json_data):
    received.append({"op": "replace", "id": bike_id, **json_data})
    return json_data


@app.delete("/bikes/<int:bike_id>")
@app.auth_required(auth)
@app.output({}, status_code=204)
def delete_bike(bike_id):
    received.append({"op": "delete", "id": bike_id})
    return ""


@app.post("/bikes/<int:bike_id>/photo")
@app.auth_required(auth)
@app.input(Photo, location="form_and_files")
def upload_photo(bike_id, form_and_files_data):
    form = form_and_files_data
    content = form["photo"].read().decode()
    received.append({"op": "photo", "id": bike_id, "photo": content, "caption": form.get("caption")})
    return {}


app.run(host="127.0.0.1", port=int(os.environ["PORT"]))
