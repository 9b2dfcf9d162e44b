// Command registry is distribution's own, github.com/distribution/distribution/v3/cmd/registry, with the one storage driver the sandbox uses:
// those of the clouds double what has to be compiled.
package main

import (
	"os"

	"github.com/distribution/distribution/v3/registry"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/filesystem"
)

func main() {
	if registry.RootCmd.Execute() != nil {
		os.Exit(1)
	}
}
