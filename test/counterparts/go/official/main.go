// A server on the official SDK of Go: official <mode> <port>.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"counterparts"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type nothing struct{}

var server = mcp.NewServer(&mcp.Implementation{Name: "counterpart", Version: "1"}, nil)

// add adds a tool that answers with content.
func add[In any](name, description string, run func(context.Context, *mcp.CallToolRequest, In) ([]mcp.Content, error)) {
	// The gateway cancels calls that only read.
	hints := &mcp.ToolAnnotations{ReadOnlyHint: name == "slow"}
	mcp.AddTool(server, &mcp.Tool{Name: name, Description: description, Annotations: hints},
		func(ctx context.Context, request *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
			content, err := run(ctx, request, in)
			if err != nil {
				return nil, nil, err
			}
			return &mcp.CallToolResult{Content: content}, nil, nil
		})
}

// addRaw adds a tool with a schema that was written by hand.
func addRaw[In any](name, description, schema string, run func(In) string) {
	server.AddTool(&mcp.Tool{Name: name, Description: description, InputSchema: json.RawMessage(schema)},
		func(_ context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in In
			if err := json.Unmarshal(request.Params.Arguments, &in); err != nil {
				return nil, err
			}
			return &mcp.CallToolResult{Content: say(run(in))}, nil
		})
}

func say(text string) []mcp.Content { return []mcp.Content{&mcp.TextContent{Text: text}} }

func bytesOf(text string) []byte {
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		log.Fatal(err)
	}
	return bytes
}

func addTools() {
	add("about", "Names the version of the SDK", func(context.Context, *mcp.CallToolRequest, nothing) ([]mcp.Content, error) {
		return say(counterparts.VersionOf("github.com/modelcontextprotocol/go-sdk")), nil
	})
	add("text", "Says a word", func(_ context.Context, _ *mcp.CallToolRequest, in counterparts.Words) ([]mcp.Content, error) {
		return say("said: " + in.Word), nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "structured", Description: "Adds two integers"},
		func(_ context.Context, _ *mcp.CallToolRequest, in counterparts.Numbers) (*mcp.CallToolResult, counterparts.Sum, error) {
			return nil, counterparts.Sum{Sum: in.A + in.B}, nil
		})
	add("picture", "Shows a picture", func(context.Context, *mcp.CallToolRequest, nothing) ([]mcp.Content, error) {
		return []mcp.Content{&mcp.ImageContent{Data: bytesOf(counterparts.Pixel), MIMEType: "image/png"}}, nil
	})
	add("audio", "Plays a sound", func(context.Context, *mcp.CallToolRequest, nothing) ([]mcp.Content, error) {
		return []mcp.Content{&mcp.AudioContent{Data: bytesOf(counterparts.Noise), MIMEType: "audio/wav"}}, nil
	})
	add("resource", "Gives a file", func(context.Context, *mcp.CallToolRequest, nothing) ([]mcp.Content, error) {
		file := &mcp.ResourceContents{URI: counterparts.File, MIMEType: "application/x-data", Blob: bytesOf(counterparts.Blob)}
		return []mcp.Content{&mcp.EmbeddedResource{Resource: file}}, nil
	})
	add("tool_error", "Fails", func(context.Context, *mcp.CallToolRequest, nothing) ([]mcp.Content, error) {
		return nil, errors.New("the disk is full")
	})
	add("protocol_error", "Fails as a request", func(context.Context, *mcp.CallToolRequest, nothing) ([]mcp.Content, error) {
		return nil, &jsonrpc.Error{Code: -32000, Message: "the request is refused"}
	})
	add("progress", "Tells three steps", func(ctx context.Context, request *mcp.CallToolRequest, in counterparts.Pause) ([]mcp.Content, error) {
		for step := 1; step <= 3; step++ {
			in.Sleep()
			if token := request.Params.GetProgressToken(); token != nil {
				told := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(step), Total: 3, Message: fmt.Sprintf("step %d", step)}
				// Without a stream there is nobody to tell.
				_ = request.Session.NotifyProgress(ctx, told)
			}
		}
		return say("done"), nil
	})
	add("slow", "Takes its time", func(ctx context.Context, _ *mcp.CallToolRequest, in counterparts.Seconds) ([]mcp.Content, error) {
		counterparts.Begun.Add(1)
		select {
		case <-time.After(time.Duration(in.Seconds * float64(time.Second))):
			return say("waited"), nil
		case <-ctx.Done():
			counterparts.Cancelled.Add(1)
			return nil, ctx.Err()
		}
	})
	mcp.AddTool(server, &mcp.Tool{Name: "seen", Description: "Counts the slow calls, and those that were cancelled"},
		func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, counterparts.State, error) {
			return nil, counterparts.State{Begun: counterparts.Begun.Load(), Cancelled: counterparts.Cancelled.Load()}, nil
		})
	add("large", "Says two megabytes", func(context.Context, *mcp.CallToolRequest, nothing) ([]mcp.Content, error) {
		return say(strings.Repeat("x", 2_000_000)), nil
	})
	add("nested", "Takes an order", func(_ context.Context, _ *mcp.CallToolRequest, in counterparts.Ordered) ([]mcp.Content, error) {
		return say(fmt.Sprintf("%s: %d %s", in.Order.Customer["name"], in.Order.Lines[0].Count, in.Order.Lines[0].Item)), nil
	})
	addRaw("recursive", "Adds up a tree", counterparts.TreeSchema, func(in counterparts.Planted) string {
		return fmt.Sprint(counterparts.Total(in.Tree))
	})
	addRaw("pair", "Takes a tuple", counterparts.PairSchema, func(in counterparts.Pair) string {
		return fmt.Sprintf("%d and %d", in.Point[0], in.Point[1])
	})
	add("grow", "Adds a tool", func(_ context.Context, _ *mcp.CallToolRequest, in counterparts.Name) ([]mcp.Content, error) {
		add(in.Name, "Was added later", func(context.Context, *mcp.CallToolRequest, nothing) ([]mcp.Content, error) {
			return say("new"), nil
		})
		return say("grown"), nil
	})
	add("die", "Ends the process", func(context.Context, *mcp.CallToolRequest, nothing) ([]mcp.Content, error) {
		os.Exit(1)
		return nil, nil
	})
}

func main() {
	mode, port := os.Args[1], os.Args[2]
	addTools()
	get := func(*http.Request) *mcp.Server { return server }
	var handler http.Handler
	switch mode {
	case "stdio":
		log.Fatal(server.Run(context.Background(), &mcp.StdioTransport{}))
	case "sse":
		handler = mcp.NewSSEHandler(get, nil)
	default:
		handler = mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
			Stateless:                    strings.HasPrefix(mode, "stateless"),
			JSONResponse:                 strings.HasSuffix(mode, "json"),
			PropagateRequestCancellation: true,
		})
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, handler))
}
