"""A bike shop with Flask and flask-smorest. People sign in with a Bearer token."""

import os

from flask import Flask, request
from flask.views import MethodView
from flask_smorest import Api, Blueprint, abort
from flask_smorest.fields import Upload
from marshmallow import Schema, fields

app = Flask(__name__)
app.config |= {
    "API_TITLE": "Bike shop",
    "API_VERSION": "1",
    "OPENAPI_VERSION": "3.0.3",
    "OPENAPI_URL_PREFIX": "/",
    "OPENAPI_SWAGGER_UI_PATH": "/swagger-ui",
    "OPENAPI_SWAGGER_UI_URL": "https://cdn.example/swagger-ui-dist/",
    "API_SPEC_OPTIONS": {
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}],
    },
}
api = Api(app)
blueprint = Blueprint("bikes", __name__, url_prefix="/bikes", description="The bikes of the shop")
me = Blueprint("me", __name__)
received: list[dict] = []


class Bike(Schema):
    name = fields.Str(required=True)
    gears = fields.Int(allow_none=True)
    tags = fields.List(fields.Str())


class Listing(Schema):
    color = fields.List(fields.Str(), load_default=list)
    limit = fields.Int(load_default=10)


class Purge(Schema):
    before = fields.Date(required=True)


class Photo(Schema):
    photo = Upload(required=True)


@app.before_request
def sign_in():
    is_open = request.path in ("/received", "/openapi.json", "/swagger-ui", "/")
    if not is_open and request.headers.get("authorization") != "Bearer token-of-ana":
        abort(401, message="Not authenticated")


@app.get("/received")
def read_received():
    return received


@blueprint.route("")
class Bikes(MethodView):
    @blueprint.arguments(Listing, location="query")
    @blueprint.response(200, Bike(many=True))
    def get(self, query):
        """List bikes"""
        received.append({"op": "list", "colors": query["color"], "limit": query["limit"]})
        return []

    @blueprint.arguments(Bike)
    @blueprint.response(201, Bike)
    def post(self, bike):
        """Create a bike"""
        received.append({"op": "create", **bike})
        return bike


@blueprint.route("/<int:bike_id>")
class OneBike(MethodView):
    @blueprint.response(200, Bike)
    def get(self, bike_id):
        """Read a bike"""
        received.append({"op": "get", "id": bike_id})
        return {"name": "a bike"}

    @blueprint.arguments(Bike)
    @blueprint.response(200, Bike)
    def put(self, bike, bike_id):
        """Replace a bike"""
        received.append({"op": "replace", "id": bike_id, **bike})
        return bike

    @blueprint.response(204)
    def delete(self, bike_id):
        """Delete a bike"""
        received.append({"op": "delete", "id": bike_id})


@blueprint.route("/<int:bike_id>/photo", methods=["POST"])
@blueprint.arguments(Photo, location="files")
@blueprint.response(200)
def upload_photo(files, bike_id):
    """Upload a photo"""
    content = files["photo"].read().decode()
    received.append({"op": "photo", "id": bike_id, "photo": content})
    return {}


@blueprint.route("/purge", methods=["POST"])
@blueprint.arguments(Purge)
@blueprint.response(200)
def purge_bikes(body):
    """Throw old bikes away"""
    received.append({"op": "purge", "before": body["before"].isoformat()})
    return {}


@me.route("/me")
@me.response(200)
def read_me():
    """Say who is signed in"""
    received.append({"op": "me", "person": "ana"})
    return {"person": "ana"}


api.register_blueprint(blueprint)
api.register_blueprint(me)
app.run(host="127.0.0.1", port=int(os.environ["PORT"]))
