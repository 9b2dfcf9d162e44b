package main

import (
	"os"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optpreview"
)

// Previews the program in this folder as its host would: Pulumi's Automation API runs it.
func TestPreview(t *testing.T) {
	stack, err := auto.UpsertStackInlineSource(t.Context(), "test", "stores-in-go", stores, auto.WorkDir("."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stack.Preview(t.Context(), optpreview.ProgressStreams(os.Stdout)); err != nil {
		t.Fatal(err)
	}
}
