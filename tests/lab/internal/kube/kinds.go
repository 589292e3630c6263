package kube

import (
	"context"
	"net/http"
	"slices"
	"strings"
)

// Kind is one collection that the API server has.
type Kind struct {
	Name, Group string
	// Path lists the objects of all namespaces.
	Path       string
	prefix     string
	namespaced bool
}

// ItemPath is the path of one object.
func (k Kind) ItemPath(namespace, name string) string {
	if k.namespaced {
		return k.prefix + "/namespaces/" + namespace + "/" + k.Name + "/" + name
	}
	return k.prefix + "/" + k.Name + "/" + name
}

// Kinds lists everything that can be listed and deleted, in the version that
// the API server prefers.
func (c *Client) Kinds(ctx context.Context) ([]Kind, error) {
	kinds, err := c.kindsOf(ctx, "", "/api/v1")
	if err != nil {
		return nil, err
	}
	groups := struct {
		Groups []struct {
			Name     string
			Versions []struct{ GroupVersion string }
		}
	}{}
	if err := c.Get(ctx, "/apis", &groups); err != nil {
		return nil, err
	}
	for _, group := range groups.Groups {
		seen := []string{}
		for _, version := range group.Versions {
			more, err := c.kindsOf(ctx, group.Name, "/apis/"+version.GroupVersion)
			if err != nil {
				return nil, err
			}
			// Versions come preferred first; older ones add what only they have.
			for _, kind := range more {
				if !slices.Contains(seen, kind.Name) {
					seen = append(seen, kind.Name)
					kinds = append(kinds, kind)
				}
			}
		}
	}
	return kinds, nil
}

func (c *Client) kindsOf(ctx context.Context, group, prefix string) ([]Kind, error) {
	resources := struct {
		Resources []struct {
			Name       string
			Namespaced bool
			Verbs      []string
		}
	}{}
	if err := c.Get(ctx, prefix, &resources); err != nil {
		return nil, err
	}
	kinds := []Kind{}
	for _, r := range resources.Resources {
		if strings.Contains(r.Name, "/") || !slices.Contains(r.Verbs, "delete") || !slices.Contains(r.Verbs, "list") {
			continue
		}
		kinds = append(kinds, Kind{r.Name, group, prefix + "/" + r.Name, prefix, r.Namespaced})
	}
	return kinds, nil
}

// DeleteNow deletes an object without a grace period, even if a finalizer of
// a controller that is not here would hold it.
func (c *Client) DeleteNow(ctx context.Context, path string) error {
	if err := c.Delete(ctx, path+"?gracePeriodSeconds=0"); err != nil {
		return err
	}
	err := c.Patch(ctx, path, "lab", Object{"metadata": Object{"finalizers": nil}})
	if Is(err, http.StatusNotFound) {
		return nil
	}
	return err
}

// DeleteNamespace deletes an empty namespace and plays the namespace
// controller, which the lab does not run.
func (c *Client) DeleteNamespace(ctx context.Context, name string) error {
	path := "/api/v1/namespaces/" + name
	if err := c.Delete(ctx, path); err != nil {
		return err
	}
	err := c.Do(ctx, http.MethodPut, path+"/finalize", "application/json", Object{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": Object{"name": name},
		"spec":     Object{"finalizers": []string{}},
	}, nil)
	if Is(err, http.StatusNotFound) {
		return nil
	}
	return err
}
