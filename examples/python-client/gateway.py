"""A client of a tool gateway for service keys, with the standard library only. Needs Python 3.10 or newer."""
import json
import urllib.error
import urllib.parse
import urllib.request


class GatewayError(Exception):
    def __init__(self, status, body):
        said = body if isinstance(body, dict) else {}
        super().__init__(said.get("message") or said.get("error") or f"The gateway answered {status}")
        self.status = status
        self.body = body


class Gateway:
    def __init__(self, url, key):
        self.url = url.rstrip("/")
        self.key = key

    def call(self, method, path, body=None, headers=None):
        request = urllib.request.Request(
            self.url + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"x-service-api-key": self.key, "content-type": "application/json", **(headers or {})},
        )
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            text = error.read().decode()
            raise GatewayError(error.code, json.loads(text) if text.startswith("{") else text) from None

    def create_actor(self, external_id, name=None):
        return self.call("POST", "/api/actors", {"externalId": external_id, **({"name": name} if name else {})})

    def create_link(self, external_id, integration, return_to):
        body = {"integration": integration, "returnTo": return_to}
        return self.call("POST", f"/api/actors/{quote(external_id)}/connect-links", body)

    def connections(self, external_id):
        return self.call("GET", f"/api/actors/{quote(external_id)}/connections")["connections"]

    def erase(self, external_id):
        return self.call("DELETE", f"/api/actors/{quote(external_id)}")

    def run(self, external_id, integration, tool, args):
        headers = {"x-service-actor": external_id}
        return self.call("POST", f"/rest/{quote(integration)}", {"tool": tool, "args": args}, headers)["result"]


def quote(text):
    return urllib.parse.quote(text, safe="")
