// Renders templates as gomplate does in the forge's images: Go's own templates between {% and %}, with the three functions ours call.
// Prints a JSON object: path of a template → its text.
package main

import (
	"encoding/json"
	"os"
	"strings"
	"text/template"
)

type files struct{}

func (files) Read(path string) (string, error) {
	content, err := os.ReadFile(path)
	return string(content), err
}

type texts struct{}

func (texts) TrimSpace(text string) string { return strings.TrimSpace(text) }

type data struct{}

func (data) ToJSON(value any) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}

func main() {
	functions := template.FuncMap{
		"file":    func() files { return files{} },
		"strings": func() texts { return texts{} },
		"data":    func() data { return data{} },
	}
	rendered := map[string]string{}
	for _, path := range os.Args[1:] {
		content, err := os.ReadFile(path)
		check(err)
		parsed, err := template.New(path).Delims("{%", "%}").Funcs(functions).Parse(string(content))
		check(err)
		var text strings.Builder
		check(parsed.Execute(&text, nil))
		rendered[path] = text.String()
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
