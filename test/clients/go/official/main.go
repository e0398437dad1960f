// A client on the official SDK of Go.
package main

import (
	"context"
	"log"
	"net/http"
	"strings"

	"clients"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	clients.Named("github.com/modelcontextprotocol/go-sdk")
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil)
	transport := &mcp.StreamableClientTransport{Endpoint: clients.URL, HTTPClient: &http.Client{Transport: clients.Keyed{}}}
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		log.Fatal(err)
	}
	listed, err := session.ListTools(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	tools := []clients.Tool{}
	for _, tool := range listed.Tools {
		tools = append(tools, clients.Tool{Name: tool.Name, Schema: tool.InputSchema})
	}
	clients.Walk(tools, func(name string, arguments map[string]any) (string, error) {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
		if err != nil {
			return "", err
		}
		texts := []string{}
		for _, block := range result.Content {
			if text, ok := block.(*mcp.TextContent); ok {
				texts = append(texts, text.Text)
			}
		}
		return strings.Join(texts, "\n"), nil
	})
}
