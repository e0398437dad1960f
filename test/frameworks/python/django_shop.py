"""A bike shop with the Django REST framework and drf-spectacular. People sign in with a token."""

import os

from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="only for tests",
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "rest_framework", "drf_spectacular"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    REST_FRAMEWORK={
        "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
        "DEFAULT_AUTHENTICATION_CLASSES": ["django_sign_in.ShopAuthentication"],
        "DEFAULT_PERMISSION_CLASSES": ["django_sign_in.IsSignedIn"],
        "UNAUTHENTICATED_USER": None,
    },
    SPECTACULAR_SETTINGS={
        "TITLE": "Bike shop",
        "VERSION": "1",
        "COMPONENT_SPLIT_REQUEST": True,
        "SERVE_INCLUDE_SCHEMA": False,
        "SERVE_AUTHENTICATION": [],
        "SERVE_PERMISSIONS": [],
    },
)

import django  # noqa: E402

django.setup()

from django.core.management import execute_from_command_line  # noqa: E402
from django.http import JsonResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from drf_spectacular.utils import OpenApiParameter, extend_schema  # noqa: E402
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView  # noqa: E402
from rest_framework import serializers, views, viewsets  # noqa: E402
from rest_framework.decorators import action  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.routers import DefaultRouter  # noqa: E402

received: list[dict] = []


class BikeSerializer(serializers.Serializer):
    name = serializers.CharField()
    gears = serializers.IntegerField(required=False, allow_null=True)
    tags = serializers.ListField(child=serializers.CharField(), required=False)


class PhotoSerializer(serializers.Serializer):
    photo = serializers.FileField()
    caption = serializers.CharField(required=False)


class PurgeSerializer(serializers.Serializer):
    before = serializers.DateField()


class MeSerializer(serializers.Serializer):
    person = serializers.CharField()


def read(serializer, request):
    reader = serializer(data=request.data)
    reader.is_valid(raise_exception=True)
    return reader.validated_data


ID = OpenApiParameter("id", int, OpenApiParameter.PATH)


class BikeViewSet(viewsets.GenericViewSet):
    serializer_class = BikeSerializer

    @extend_schema(parameters=[OpenApiParameter("color", str, many=True), OpenApiParameter("limit", int)])
    def list(self, request):
        query = request.query_params
        received.append({"op": "list", "colors": query.getlist("color"), "limit": int(query["limit"])})
        return Response([])

    def create(self, request):
        bike = read(BikeSerializer, request)
        received.append({"op": "create", **bike})
        return Response(bike, status=201)

    @extend_schema(parameters=[ID])
    def retrieve(self, request, pk):
        received.append({"op": "get", "id": int(pk)})
        return Response({"name": "a bike"})

    @extend_schema(parameters=[ID])
    def update(self, request, pk):
        bike = read(BikeSerializer, request)
        received.append({"op": "replace", "id": int(pk), **bike})
        return Response(bike)

    @extend_schema(parameters=[ID])
    def destroy(self, request, pk):
        received.append({"op": "delete", "id": int(pk)})
        return Response(status=204)

    @extend_schema(parameters=[ID])
    @action(detail=True, methods=["post"], serializer_class=PhotoSerializer)
    def photo(self, request, pk):
        form = read(PhotoSerializer, request)
        content = form["photo"].read().decode()
        received.append({"op": "photo", "id": int(pk), "photo": content, "caption": form.get("caption")})
        return Response({"caption": form.get("caption")})

    @action(detail=False, methods=["post"], serializer_class=PurgeSerializer)
    def purge(self, request):
        received.append({"op": "purge", "before": read(PurgeSerializer, request)["before"].isoformat()})
        return Response({"before": "2026-01-01"})


class MeView(views.APIView):
    @extend_schema(responses=MeSerializer)
    def get(self, request):
        received.append({"op": "me", "person": request.user})
        return Response({"person": request.user})


router = DefaultRouter()
router.register("bikes", BikeViewSet, basename="bike")
urlpatterns = [
    path("received", lambda request: JsonResponse(received, safe=False)),
    path("me/", MeView.as_view()),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerView.as_view(url_name="schema")),
    path("", include(router.urls)),
]

execute_from_command_line(["django_shop.py", "runserver", "--noreload", f"127.0.0.1:{os.environ['PORT']}"])
