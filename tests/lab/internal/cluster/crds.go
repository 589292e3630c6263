package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"vipctl.dev/lab/internal/kube"
	"vipctl.dev/lab/internal/state"
)

// createCRDs makes the CRDs that this cluster's operator would make one after
// another, half a second each, and waits until the API server serves them.
func createCRDs(ctx context.Context, l *state.Lab, c *kube.Client) error {
	crds, err := readCRDs(l)
	if err != nil {
		return err
	}
	jobs := []func() error{}
	for _, crd := range crds {
		jobs = append(jobs, func() error {
			err := c.Create(ctx, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "cilium-operator-generic", crd)
			if err != nil {
				return fmt.Errorf("CRD %s: %w", kube.Meta(crd, "name"), err)
			}
			return nil
		})
	}
	if err := Together(jobs...); err != nil {
		return err
	}
	for _, crd := range crds {
		err := kube.Wait(ctx, "CRD "+kube.Meta(crd, "name")+" was served", func(ctx context.Context) error {
			return served(ctx, c, crd)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readCRDs reads the definitions for the lab's features.
func readCRDs(l *state.Lab) ([]kube.Object, error) {
	dir := filepath.Join(l.Bin["cilium"], "crds")
	version, err := os.ReadFile(filepath.Join(dir, "schema-version"))
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(file string) bool { return !wantsCRD(filepath.Base(file), l.Features) })
	if slices.Contains(l.Features, "gateway") {
		more, err := filepath.Glob(filepath.Join(l.Bin["cilium"], "gateway-crds", "*.yaml"))
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	crds := []kube.Object{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		crd := kube.Object{}
		if err := yaml.Unmarshal(data, &crd); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if crd["kind"] != "CustomResourceDefinition" { // an admission policy beside them
			continue
		}
		if name := kube.Meta(crd, "name"); strings.HasSuffix(name, ".cilium.io") {
			// By this label the operator sees that it has nothing to do.
			crd["metadata"] = kube.Object{
				"name":   name,
				"labels": kube.Object{"io.cilium.k8s.crd.schema.version": string(version)},
			}
		}
		crds = append(crds, crd)
	}
	return crds, nil
}

// served looks a definition up in the discovery of its group. The definition
// itself is too large to be read again and again.
func served(ctx context.Context, c *kube.Client, crd kube.Object) error {
	spec := crd["spec"].(kube.Object)
	plural, _, _ := strings.Cut(kube.Meta(crd, "name"), ".")
	for _, v := range spec["versions"].([]any) {
		version := v.(kube.Object)
		if version["served"] != true {
			continue
		}
		got := struct{ Resources []struct{ Name string } }{}
		if err := c.Get(ctx, fmt.Sprintf("/apis/%s/%s", spec["group"], version["name"]), &got); err != nil {
			return err
		}
		if !slices.ContainsFunc(got.Resources, func(r struct{ Name string }) bool { return r.Name == plural }) {
			return fmt.Errorf("%s/%s has no %s", spec["group"], version["name"], plural)
		}
	}
	return nil
}
