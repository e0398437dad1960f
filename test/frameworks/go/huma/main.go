// A bike shop with huma. People sign in with a Bearer token.
package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

type entry map[string]any

var (
	mutex    sync.Mutex
	received = []entry{}
)

func note(values entry) {
	mutex.Lock()
	defer mutex.Unlock()
	received = append(received, values)
}

type Bike struct {
	Name  string   `json:"name"`
	Gears *int     `json:"gears,omitempty"`
	Tags  []string `json:"tags,omitempty"`
}

type One struct {
	ID int `path:"id"`
}

type Done struct{}

func secured(id, method, path string) huma.Operation {
	return huma.Operation{OperationID: id, Method: method, Path: path, Security: []map[string][]string{{"token": {}}}}
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /received", func(writer http.ResponseWriter, _ *http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		json.NewEncoder(writer).Encode(received)
	})
	config := huma.DefaultConfig("Bike shop", "1")
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"token": {Type: "http", Scheme: "bearer"}}
	api := humago.New(mux, config)

	huma.Register(api, secured("who-am-i", "GET", "/me"), func(context.Context, *struct{}) (*Done, error) {
		note(entry{"op": "me", "person": "ana"})
		return nil, nil
	})
	huma.Register(api, secured("list-bikes", "GET", "/bikes"), func(_ context.Context, in *struct {
		Color []string `query:"color,explode"`
		Limit int      `query:"limit"`
	}) (*Done, error) {
		note(entry{"op": "list", "colors": in.Color, "limit": in.Limit})
		return nil, nil
	})
	huma.Register(api, secured("create-bike", "POST", "/bikes"), func(_ context.Context, in *struct{ Body Bike }) (*Done, error) {
		note(entry{"op": "create", "name": in.Body.Name, "gears": in.Body.Gears, "tags": in.Body.Tags})
		return nil, nil
	})
	huma.Register(api, secured("purge-bikes", "POST", "/bikes/purge"), func(_ context.Context, in *struct {
		Body struct {
			Before string `json:"before" format:"date"`
		}
	}) (*Done, error) {
		note(entry{"op": "purge", "before": in.Body.Before})
		return nil, nil
	})
	huma.Register(api, secured("get-bike", "GET", "/bikes/{id}"), func(_ context.Context, in *One) (*Done, error) {
		note(entry{"op": "get", "id": in.ID})
		return nil, nil
	})
	huma.Register(api, secured("replace-bike", "PUT", "/bikes/{id}"), func(_ context.Context, in *struct {
		One
		Body Bike
	}) (*Done, error) {
		note(entry{"op": "replace", "id": in.ID, "name": in.Body.Name, "gears": in.Body.Gears, "tags": in.Body.Tags})
		return nil, nil
	})
	huma.Register(api, secured("delete-bike", "DELETE", "/bikes/{id}"), func(_ context.Context, in *One) (*Done, error) {
		note(entry{"op": "delete", "id": in.ID})
		return nil, nil
	})
	type photo struct {
		Photo   huma.FormFile `form:"photo" required:"true"`
		Caption string        `form:"caption"`
	}
	huma.Register(api, secured("add-photo", "POST", "/bikes/{id}/photo"), func(_ context.Context, in *struct {
		One
		RawBody huma.MultipartFormFiles[photo]
	}) (*Done, error) {
		form := in.RawBody.Data()
		content, err := io.ReadAll(form.Photo)
		if err != nil {
			return nil, err
		}
		note(entry{"op": "photo", "id": in.ID, "photo": string(content), "caption": form.Caption})
		return nil, nil
	})

	err := http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		isClosed := request.URL.Path == "/me" || strings.HasPrefix(request.URL.Path, "/bikes")
		if isClosed && request.Header.Get("Authorization") != "Bearer token-of-ana" {
			http.Error(writer, `{"detail":"Not authenticated"}`, http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(writer, request)
	}))
	panic(err)
}
