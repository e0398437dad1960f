// Package clients has what the clients on both SDKs of Go do, as an agent would. Each program prints one line of JSON for each
// step: what its model would see.
package clients

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
)

// URL is the gateway's, and Key the header that opens it.
var (
	URL = os.Getenv("GATEWAY_URL") + "/mcp"
	Key = map[string]string{"x-service-api-key": os.Getenv("GATEWAY_KEY")}
)

type members map[string]any

func report(step string, seen members) {
	seen["step"] = step
	line, err := json.Marshal(seen)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}

// Named tells the version of a module that the program is built with.
func Named(module string) {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			report("client", members{"versions": map[string]string{module: dependency.Version}})
		}
	}
}

// Keyed sends the key with each request.
type Keyed struct{}

func (Keyed) RoundTrip(request *http.Request) (*http.Response, error) {
	keyed := request.Clone(request.Context())
	for name, value := range Key {
		keyed.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(keyed)
}

// Tool is one tool as the SDK shows it.
type Tool struct {
	Name   string
	Schema any
}

// Call returns what the model reads.
type Call func(name string, arguments map[string]any) (string, error)

// Walk goes through the steps. The model gets two things wrong, reads why, and mends them as the text says.
func Walk(tools []Tool, call Call) {
	names, keepsMembers := []string{}, false
	for _, tool := range tools {
		names = append(names, tool.Name)
		schema, err := json.Marshal(tool.Schema)
		if err != nil {
			panic(err)
		}
		keepsMembers = keepsMembers || tool.Name == "execute_tools" && strings.Contains(string(schema), `"args"`)
	}
	slices.Sort(names)
	report("list", members{"tools": names, "keepsMembers": keepsMembers})

	see := func(step, name string, arguments members) string {
		text, err := call(name, arguments)
		if err != nil {
			text = err.Error()
		}
		report(step, members{"text": text, "thrown": err != nil})
		return text
	}
	execute := func(step string, args members) string {
		execution := members{"tool": "time_now", "args": args}
		return see(step, "execute_tools", members{"executions": []any{execution}})
	}
	see("search", "search_tools", members{"query": "current time in a time zone", "limit": 3})
	execute("run", members{"timeZone": "Europe/Berlin"})
	if strings.Contains(see("wrong", "get_tool_schema", members{"tool": "[]"}), "tool: must be a name") {
		see("mended", "get_tool_schema", members{"tool": "time_now"})
	}
	told := execute("failing", members{"timezone": "Europe/Berlin"})
	if known := regexp.MustCompile(`(?s)timezone.*?known: (\w+)`).FindStringSubmatch(told); known != nil {
		execute("repaired", members{known[1]: "Europe/Berlin"})
	}
}
