// Package client names what the client that is made of our OpenAPI description needs, so that its versions are pinned.
package client

import _ "github.com/oapi-codegen/runtime"
