// A client on mcp-go.
package main

import (
	"context"
	"log"
	"strings"

	"clients"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

func main() {
	clients.Named("github.com/mark3labs/mcp-go")
	ctx := context.Background()
	session, err := client.NewStreamableHttpClient(clients.URL, transport.WithHTTPHeaders(clients.Key))
	if err != nil {
		log.Fatal(err)
	}
	if err := session.Start(ctx); err != nil {
		log.Fatal(err)
	}
	hello := mcp.InitializeRequest{}
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "client", Version: "1"}
	if _, err := session.Initialize(ctx, hello); err != nil {
		log.Fatal(err)
	}
	listed, err := session.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		log.Fatal(err)
	}
	tools := []clients.Tool{}
	for _, tool := range listed.Tools {
		tools = append(tools, clients.Tool{Name: tool.Name, Schema: tool.InputSchema})
	}
	clients.Walk(tools, func(name string, arguments map[string]any) (string, error) {
		request := mcp.CallToolRequest{}
		request.Params.Name, request.Params.Arguments = name, arguments
		result, err := session.CallTool(ctx, request)
		if err != nil {
			return "", err
		}
		texts := []string{}
		for _, block := range result.Content {
			if text, ok := block.(mcp.TextContent); ok {
				texts = append(texts, text.Text)
			}
		}
		return strings.Join(texts, "\n"), nil
	})
}
