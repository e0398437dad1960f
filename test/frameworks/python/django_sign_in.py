"""Says who is signed in at the Django shop. It is apart because the framework reads it while it is loaded itself."""

from rest_framework import exceptions, permissions
from rest_framework.authentication import TokenAuthentication


class ShopAuthentication(TokenAuthentication):
    def authenticate_credentials(self, key):
        if key != "token-of-ana":
            raise exceptions.AuthenticationFailed("Invalid token.")
        return "ana", key


class IsSignedIn(permissions.BasePermission):
    def has_permission(self, request, view):
        return request.user is not None
