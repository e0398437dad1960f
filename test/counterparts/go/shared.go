// Package counterparts has what the servers on both SDKs of Go say.
package counterparts

import (
	"runtime/debug"
	"sync/atomic"
	"time"
)

const (
	Pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	Noise = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
	Blob  = "AAEC"
	File  = "test://files/data.bin"
)

// Begun counts the slow calls, and Cancelled those of them that were cancelled.
var Begun, Cancelled atomic.Int64

type Words struct {
	Word string `json:"word"`
	Loud *bool  `json:"loud,omitempty"`
}

type Numbers struct {
	A int64 `json:"a"`
	B int64 `json:"b"`
}

type Sum struct {
	Sum int64 `json:"sum"`
}

type State struct {
	Begun     int64 `json:"begun"`
	Cancelled int64 `json:"cancelled"`
}

type Seconds struct {
	Seconds float64 `json:"seconds"`
}

type Pause struct {
	Pause float64 `json:"pause,omitempty"`
}

// Sleep waits before a step.
func (pause Pause) Sleep() { time.Sleep(time.Duration(pause.Pause * float64(time.Second))) }

type Name struct {
	Name string `json:"name"`
}

type Line struct {
	Item  string `json:"item"`
	Count int    `json:"count"`
}

type Order struct {
	Customer map[string]string `json:"customer"`
	Lines    []Line            `json:"lines"`
}

type Ordered struct {
	Order Order `json:"order"`
}

type Tree struct {
	Value    int    `json:"value"`
	Children []Tree `json:"children,omitempty"`
}

type Planted struct {
	Tree Tree `json:"tree"`
}

type Pair struct {
	Point []int `json:"point"`
}

// TreeSchema is written by hand, as neither SDK makes a schema of a type that has itself in it.
const TreeSchema = `{"type":"object","properties":{"tree":{"$ref":"#/$defs/tree"}},"required":["tree"],
"$defs":{"tree":{"type":"object","properties":{"value":{"type":"integer"},
"children":{"type":"array","items":{"$ref":"#/$defs/tree"}}},"required":["value"]}}}`

// PairSchema is written by hand, as Go has no tuples.
const PairSchema = `{"type":"object","properties":{"point":{"type":"array",
"prefixItems":[{"type":"integer"},{"type":"integer"}],"minItems":2,"maxItems":2}},"required":["point"]}`

// Total adds up a tree.
func Total(tree Tree) int {
	sum := tree.Value
	for _, child := range tree.Children {
		sum += Total(child)
	}
	return sum
}

// VersionOf names the version of a module that the program is built with.
func VersionOf(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			return dependency.Version
		}
	}
	return ""
}
