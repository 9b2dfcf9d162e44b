// Judges a Pulumi package's schema by the code that `pulumi package add` uses: binds it strictly, then generates the SDK of
// each language into a folder.
//
// Usage: pulumi-schema SCHEMA FOLDER
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/blang/semver"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if err := judge(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func judge(file, folder string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	// A generator renames what it is given: each gets a package of its own.
	bind := func() (*schema.Package, error) {
		bound, diagnostics, err := schema.BindSpec(spec, noOtherPackages{}, schema.ValidationOptions{})
		if err != nil {
			return nil, err
		}
		for _, each := range diagnostics {
			fmt.Fprintln(os.Stderr, each)
		}
		if diagnostics.HasErrors() {
			return nil, fmt.Errorf("%s does not bind", file)
		}
		return bound, nil
	}
	for language, generate := range generators {
		bound, err := bind()
		if err != nil {
			return err
		}
		files, err := generate(bound)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		for name, content := range files {
			path := filepath.Join(folder, language, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, content, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

var generators = map[string]func(*schema.Package) (map[string][]byte, error){
	"python": func(bound *schema.Package) (map[string][]byte, error) {
		return python.GeneratePackage("hearth", bound, nil, noOtherPackages{})
	},
	"go": func(bound *schema.Package) (map[string][]byte, error) {
		return golang.GeneratePackage("hearth", bound, nil)
	},
	"nodejs": func(bound *schema.Package) (map[string][]byte, error) {
		return nodejs.GeneratePackage("hearth", bound, nil, nil, false, noOtherPackages{})
	},
}

// The schema refers to no other package, so that nobody needs a second plugin.
type noOtherPackages struct{}

var errOther = errors.New("the schema refers to another package")

func (noOtherPackages) LoadPackage(string, *semver.Version) (*schema.Package, error) {
	return nil, errOther
}

func (noOtherPackages) LoadPackageV2(context.Context, *schema.PackageDescriptor) (*schema.Package, error) {
	return nil, errOther
}

func (noOtherPackages) LoadPackageReference(string, *semver.Version) (schema.PackageReference, error) {
	return nil, errOther
}

func (noOtherPackages) LoadPackageReferenceV2(
	context.Context, *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return nil, errOther
}
