package writer

import (
	"os"
	"path/filepath"
	"testing"
)

func manifest(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestDocumentsBecomePaths(t *testing.T) {
	objects, err := read(manifest(t, `---
kind: Service
metadata: {name: a, namespace: shop}
spec: {ports: [{port: 80}]}
---
kind: EndpointSlice
metadata: {name: a-1, namespace: shop}
`))
	if err != nil || len(objects) != 2 {
		t.Fatalf("%+v, %v", objects, err)
	}
	if objects[0].path != "/api/v1/namespaces/shop/services/a" ||
		objects[1].path != "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices/a-1" {
		t.Errorf("%+v", objects)
	}
}

func TestWhatCannotBeAppliedIsRefused(t *testing.T) {
	for _, text := range []string{"", "kind: Service\nmetadata: {name: a}", "kind: Node\nmetadata: {name: a, namespace: b}", "{"} {
		if objects, err := read(manifest(t, text)); err == nil {
			t.Errorf("%q became %+v", text, objects)
		}
	}
}
