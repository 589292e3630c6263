// Package writer plays somebody else who writes to the cluster: a controller
// that holds objects to what stands in Git.
package writer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"sigs.k8s.io/yaml"

	"vipctl.dev/lab/internal/anyflag"
	"vipctl.dev/lab/internal/kube"
	"vipctl.dev/lab/internal/problem"
	"vipctl.dev/lab/internal/state"
)

const usage = "writer NAME reapply FILE|- [--every D] [--manager NAME] [--for D]"

// Main applies a manifest again and again until it is interrupted or its time
// is over, and prints a line whenever the object is another one than it left.
func Main(args []string) error {
	set := anyflag.New("writer")
	every := set.Duration("every", 500*time.Millisecond, "time between two looks")
	manager := set.String("manager", "argocd-controller", "field manager")
	length := set.Duration("for", 0, "how long; 0: until interrupted")
	rest, err := anyflag.Parse(set, args, usage, 3, 3)
	if err != nil {
		return err
	}
	if rest[1] != "reapply" || *every <= 0 {
		return problem.Usagef("usage: lab %s", usage)
	}
	l, err := state.Load(rest[0])
	if err != nil {
		return err
	}
	objects, err := read(rest[2])
	if err != nil {
		return err
	}
	c, err := kube.New(l)
	if err != nil {
		return err
	}
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()
	if *length > 0 {
		ctx, cancel = context.WithTimeout(ctx, *length)
		defer cancel()
	}
	return reapply(ctx, c, objects, *manager, *every)
}

func reapply(ctx context.Context, c *kube.Client, objects []object, manager string, every time.Duration) error {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		for i := range objects {
			if err := objects[i].apply(ctx, c, manager); err != nil && ctx.Err() == nil {
				// A controller goes on when a write fails.
				fmt.Printf("%s  not applied: %v\n", objects[i].path, err)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// object is one document of the manifest.
type object struct {
	path    string
	content kube.Object
	version string // of the last write, or of what was there
}

// apply writes the object as `kubectl apply --server-side` does. The API server
// itself changes nothing where all is as it should be.
func (o *object) apply(ctx context.Context, c *kube.Client, manager string) error {
	answer := kube.Object{}
	err := c.Do(ctx, "PATCH", o.path+"?force=true&fieldManager="+manager, "application/apply-patch+yaml", o.content, &answer)
	if err != nil {
		return err
	}
	version := kube.Meta(answer, "resourceVersion")
	if o.version != "" && o.version != version {
		fmt.Printf("%s  is of version %s now, was of %s\n", o.path, version, o.version)
	}
	o.version = version
	return nil
}

// collections are the kinds that a manifest may hold.
var collections = map[string]string{
	"Service":       "/api/v1/namespaces/%s/services/%s",
	"EndpointSlice": "/apis/discovery.k8s.io/v1/namespaces/%s/endpointslices/%s",
	"ConfigMap":     "/api/v1/namespaces/%s/configmaps/%s",
}

func read(file string) ([]object, error) {
	if file == "-" {
		file = "/dev/stdin"
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	objects := []object{}
	for _, document := range strings.Split("\n"+string(data), "\n---") {
		content := kube.Object{}
		if err := yaml.Unmarshal([]byte(document), &content); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if len(content) == 0 {
			continue
		}
		kind, _ := content["kind"].(string)
		path, ok := collections[kind]
		namespace, name := kube.Meta(content, "namespace"), kube.Meta(content, "name")
		if !ok || namespace == "" || name == "" {
			return nil, problem.Usagef("%s: a %q named %q in %q: there must be a namespace and a name, and the kind be Service, EndpointSlice or ConfigMap", file, kind, name, namespace)
		}
		objects = append(objects, object{path: fmt.Sprintf(path, namespace, name), content: content})
	}
	if len(objects) == 0 {
		return nil, errors.New(file + " holds no object")
	}
	return objects, nil
}
