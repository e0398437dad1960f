// Package utils stands in for the one with which gitleaks checks its rules: it prints their examples.
package utils

import (
	"encoding/json"
	"fmt"

	"github.com/zricethezav/gitleaks/v8/config"
)

func say(rule string, isReal bool, text string) {
	line, _ := json.Marshal(map[string]any{"rule": rule, "isReal": isReal, "text": text})
	fmt.Println(string(line))
}

func Validate(rule config.Rule, tokens []string, lookalikes []string) *config.Rule {
	for _, text := range tokens {
		say(rule.RuleID, true, text)
	}
	for _, text := range lookalikes {
		say(rule.RuleID, false, text)
	}
	return &rule
}

func ValidateWithPaths(rule config.Rule, tokens map[string]string, lookalikes map[string]string) *config.Rule {
	for _, text := range tokens {
		say(rule.RuleID, true, text)
	}
	for _, text := range lookalikes {
		say(rule.RuleID, false, text)
	}
	return &rule
}
