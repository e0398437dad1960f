// A server on mcp-go: mark3labs <mode> <port>.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"counterparts"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

type nothing struct{}

var served = server.NewMCPServer("counterpart", "1", server.WithToolCapabilities(true))

func add[In any](name, description string, run func(context.Context, mcp.CallToolRequest, In) (*mcp.CallToolResult, error)) {
	// The gateway cancels calls that only read.
	isRead := mcp.WithReadOnlyHintAnnotation(name == "slow")
	served.AddTool(mcp.NewTool(name, mcp.WithDescription(description), isRead, mcp.WithInputSchema[In]()), mcp.NewTypedToolHandler(run))
}

// addRaw adds a tool with a schema that was written by hand.
func addRaw[In any](name, description, schema string, run func(In) string) {
	served.AddTool(mcp.NewToolWithRawSchema(name, description, json.RawMessage(schema)),
		mcp.NewTypedToolHandler(func(_ context.Context, _ mcp.CallToolRequest, in In) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(run(in)), nil
		}))
}

func show(content mcp.Content) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{content}}, nil
}

func say(text string) (*mcp.CallToolResult, error) { return mcp.NewToolResultText(text), nil }

func addTools() {
	add("about", "Names the version of the SDK", func(context.Context, mcp.CallToolRequest, nothing) (*mcp.CallToolResult, error) {
		return say(counterparts.VersionOf("github.com/mark3labs/mcp-go"))
	})
	add("text", "Says a word", func(_ context.Context, _ mcp.CallToolRequest, in counterparts.Words) (*mcp.CallToolResult, error) {
		return say("said: " + in.Word)
	})
	served.AddTool(
		mcp.NewTool("structured", mcp.WithDescription("Adds two integers"), mcp.WithInputSchema[counterparts.Numbers](), mcp.WithOutputSchema[counterparts.Sum]()),
		mcp.NewStructuredToolHandler(func(_ context.Context, _ mcp.CallToolRequest, in counterparts.Numbers) (counterparts.Sum, error) {
			return counterparts.Sum{Sum: in.A + in.B}, nil
		}))
	add("picture", "Shows a picture", func(context.Context, mcp.CallToolRequest, nothing) (*mcp.CallToolResult, error) {
		return show(mcp.NewImageContent(counterparts.Pixel, "image/png"))
	})
	add("audio", "Plays a sound", func(context.Context, mcp.CallToolRequest, nothing) (*mcp.CallToolResult, error) {
		return show(mcp.NewAudioContent(counterparts.Noise, "audio/wav"))
	})
	add("resource", "Gives a file", func(context.Context, mcp.CallToolRequest, nothing) (*mcp.CallToolResult, error) {
		return show(mcp.NewEmbeddedResource(mcp.BlobResourceContents{URI: counterparts.File, MIMEType: "application/x-data", Blob: counterparts.Blob}))
	})
	add("tool_error", "Fails", func(context.Context, mcp.CallToolRequest, nothing) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("the disk is full"), nil
	})
	add("protocol_error", "Fails as a request", func(context.Context, mcp.CallToolRequest, nothing) (*mcp.CallToolResult, error) {
		return nil, errors.New("the request is refused")
	})
	add("progress", "Tells three steps", func(ctx context.Context, request mcp.CallToolRequest, in counterparts.Pause) (*mcp.CallToolResult, error) {
		for step := 1; step <= 3; step++ {
			in.Sleep()
			if meta := request.Params.Meta; meta != nil && meta.ProgressToken != nil {
				told := map[string]any{"progressToken": meta.ProgressToken, "progress": step, "total": 3, "message": fmt.Sprintf("step %d", step)}
				if err := served.SendNotificationToClient(ctx, "notifications/progress", told); err != nil {
					return nil, err
				}
			}
		}
		return say("done")
	})
	add("slow", "Takes its time", func(ctx context.Context, _ mcp.CallToolRequest, in counterparts.Seconds) (*mcp.CallToolResult, error) {
		counterparts.Begun.Add(1)
		select {
		case <-time.After(time.Duration(in.Seconds * float64(time.Second))):
			return say("waited")
		case <-ctx.Done():
			counterparts.Cancelled.Add(1)
			return nil, ctx.Err()
		}
	})
	served.AddTool(
		mcp.NewTool("seen", mcp.WithDescription("Counts the slow calls, and those that were cancelled"), mcp.WithOutputSchema[counterparts.State]()),
		mcp.NewStructuredToolHandler(func(context.Context, mcp.CallToolRequest, nothing) (counterparts.State, error) {
			return counterparts.State{Begun: counterparts.Begun.Load(), Cancelled: counterparts.Cancelled.Load()}, nil
		}))
	add("large", "Says two megabytes", func(context.Context, mcp.CallToolRequest, nothing) (*mcp.CallToolResult, error) {
		return say(strings.Repeat("x", 2_000_000))
	})
	add("nested", "Takes an order", func(_ context.Context, _ mcp.CallToolRequest, in counterparts.Ordered) (*mcp.CallToolResult, error) {
		return say(fmt.Sprintf("%s: %d %s", in.Order.Customer["name"], in.Order.Lines[0].Count, in.Order.Lines[0].Item))
	})
	addRaw("recursive", "Adds up a tree", counterparts.TreeSchema, func(in counterparts.Planted) string {
		return fmt.Sprint(counterparts.Total(in.Tree))
	})
	addRaw("pair", "Takes a tuple", counterparts.PairSchema, func(in counterparts.Pair) string {
		return fmt.Sprintf("%d and %d", in.Point[0], in.Point[1])
	})
	add("grow", "Adds a tool", func(_ context.Context, _ mcp.CallToolRequest, in counterparts.Name) (*mcp.CallToolResult, error) {
		add(in.Name, "Was added later", func(context.Context, mcp.CallToolRequest, nothing) (*mcp.CallToolResult, error) {
			return say("new")
		})
		return say("grown")
	})
	add("die", "Ends the process", func(context.Context, mcp.CallToolRequest, nothing) (*mcp.CallToolResult, error) {
		os.Exit(1)
		return nil, nil
	})
}

func main() {
	mode, address := os.Args[1], "127.0.0.1:"+os.Args[2]
	addTools()
	switch mode {
	case "stdio":
		log.Fatal(server.ServeStdio(served))
	case "sse":
		log.Fatal(server.NewSSEServer(served).Start(address))
	default:
		isStateless := strings.HasPrefix(mode, "stateless")
		log.Fatal(server.NewStreamableHTTPServer(served, server.WithStateLess(isStateless), server.WithStateful(!isStateless)).Start(address))
	}
}
