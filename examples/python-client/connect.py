"""Makes a link with which a user of your product connects an account, and lists what the user has connected."""
import os
import sys

from gateway import Gateway, GatewayError

missing = [name for name in ("GATEWAY_URL", "SERVICE_KEY") if not os.environ.get(name)]
if missing:
    print(f"Set {', '.join(missing)}: an administrator of the gateway makes a service key", file=sys.stderr)
    sys.exit(2)

if len(sys.argv) != 4:
    print("usage: connect.py <user> <integration> <returnTo>", file=sys.stderr)
    sys.exit(2)

_, user, integration, return_to = sys.argv
gateway = Gateway(os.environ["GATEWAY_URL"], os.environ["SERVICE_KEY"])
try:
    gateway.create_actor(user)
    print("Open", gateway.create_link(user, integration, return_to)["url"])
    for connection in gateway.connections(user):
        print(connection["integration"], connection["status"])
except GatewayError as error:
    print(error, file=sys.stderr)
    sys.exit(1)
