package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"strings"
	"time"

	"vipctl.dev/lab/internal/kube"
	"vipctl.dev/lab/internal/state"
)

// components talk to the API server under names of their own, with all rights.
var components = []string{"cilium", "cilium-operator", "kubelet"}

// writeSecrets makes the lab's certificate authority, the API server's
// certificate, the key for service account tokens, the users' tokens and a
// kubeconfig for each of them.
func writeSecrets(l *state.Lab) error {
	if err := os.MkdirAll(l.Path("pki"), 0o755); err != nil {
		return err
	}
	ca, caKey, err := newCert(l, "ca", "vipctl-lab", nil, nil)
	if err != nil {
		return err
	}
	if _, _, err := newCert(l, "apiserver", "kube-apiserver", ca, caKey); err != nil {
		return err
	}
	key, err := newKey(l, "sa")
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	if err := writePEM(l.Path("pki", "sa.pub"), "PUBLIC KEY", public); err != nil {
		return err
	}
	tokens := ""
	for _, user := range append(components, state.Users...) {
		group := `"vipctl-` + user + `"`
		if user == "admin" || !isUser(user) {
			group = `"system:masters"`
		}
		tokens += fmt.Sprintf("%s,%s,%s,%s\n", kube.Token(user), user, user, group)
		if err := writeKubeconfig(l, user, ca.Raw); err != nil {
			return err
		}
	}
	return os.WriteFile(l.Path("pki", "tokens.csv"), []byte(tokens), 0o600)
}

func isUser(name string) bool {
	for _, user := range state.Users {
		if user == name {
			return true
		}
	}
	return false
}

// newCert makes a certificate signed by ca, or an authority if ca is nil.
func newCert(l *state.Lab, file, name string, ca *x509.Certificate, caKey *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := newKey(l, file)
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().AddDate(1, 0, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
	}
	if ca == nil {
		template.IsCA, template.BasicConstraintsValid = true, true
		template.KeyUsage = x509.KeyUsageCertSign
		ca, caKey = template, key
	} else {
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
		template.DNSNames = []string{"kubernetes", "localhost"}
		template.IPAddresses = []net.IP{net.ParseIP(state.FabIP), net.ParseIP("127.0.0.1"), net.ParseIP("10.96.0.1")}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca, &key.PublicKey, caKey)
	if err != nil {
		return nil, nil, err
	}
	if err := writePEM(l.Path("pki", file+".crt"), "CERTIFICATE", der); err != nil {
		return nil, nil, err
	}
	cert, err := x509.ParseCertificate(der)
	return cert, key, err
}

func newKey(l *state.Lab, file string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return key, writePEM(l.Path("pki", file+".key"), "PRIVATE KEY", der)
}

func writePEM(path, kind string, der []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}

const kubeconfig = `apiVersion: v1
kind: Config
current-context: lab
clusters:
- name: lab
  cluster:
    server: https://SERVER:6443
    certificate-authority-data: AUTHORITY
users:
- name: USER
  user:
    token: TOKEN
contexts:
- name: lab
  context:
    cluster: lab
    user: USER
`

func writeKubeconfig(l *state.Lab, user string, ca []byte) error {
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca})
	text := strings.NewReplacer(
		"SERVER", state.FabIP,
		"AUTHORITY", base64.StdEncoding.EncodeToString(authority),
		"USER", user,
		"TOKEN", kube.Token(user),
	).Replace(kubeconfig)
	return os.WriteFile(kubeconfigPath(l, user), []byte(text), 0o600)
}

func kubeconfigPath(l *state.Lab, user string) string { return l.Path("kubeconfig-" + user) }
