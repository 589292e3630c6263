package cluster

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"

	"vipctl.dev/lab/internal/build"
	"vipctl.dev/lab/internal/kube"
)

//go:embed reader.yaml
var readerRoles string

// createUsers gives the lab's users their rights. The user oncall has exactly
// what the product's own manifest grants, so that every lab tests it.
func createUsers(ctx context.Context, c *kube.Client) error {
	file := filepath.Join(build.Home(), "..", "..", "src", "render", "rbac.yaml")
	oncall, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("the rights of the user oncall: %w", err)
	}
	for name, text := range map[string]string{file: string(oncall), "reader.yaml": readerRoles} {
		if err := applyRoles(ctx, c, text); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func applyRoles(ctx context.Context, c *kube.Client, manifest string) error {
	for _, document := range strings.Split(manifest, "\n---\n") {
		obj := kube.Object{}
		if err := yaml.Unmarshal([]byte(document), &obj); err != nil {
			return err
		}
		path, err := rolePath(obj)
		if err != nil {
			return err
		}
		if err := c.Do(ctx, http.MethodPatch, path+"?fieldManager=lab", "application/apply-patch+yaml", obj, nil); err != nil {
			return fmt.Errorf("%s %s: %w", obj["kind"], kube.Meta(obj, "name"), err)
		}
	}
	return nil
}

func rolePath(obj kube.Object) (string, error) {
	const group = "/apis/rbac.authorization.k8s.io/v1"
	name, namespaced := kube.Meta(obj, "name"), group+"/namespaces/"+kube.Meta(obj, "namespace")
	switch obj["kind"] {
	case "ClusterRole":
		return group + "/clusterroles/" + name, nil
	case "ClusterRoleBinding":
		return group + "/clusterrolebindings/" + name, nil
	case "Role":
		return namespaced + "/roles/" + name, nil
	case "RoleBinding":
		return namespaced + "/rolebindings/" + name, nil
	}
	return "", fmt.Errorf("a %v is no role nor a binding of one", obj["kind"])
}
