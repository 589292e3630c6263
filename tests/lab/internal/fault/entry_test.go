package fault

import "testing"

func TestParseFrontend(t *testing.T) {
	key, err := parseFrontend("192.0.2.10:443/UDP")
	want := serviceKey{192, 0, 2, 10, 1, 187, 0, 0, 17}
	if err != nil || key != want {
		t.Errorf("%v, %v; want %v", key, err, want)
	}
	for _, bad := range []string{"", "192.0.2.10", "192.0.2.10:80", "192.0.2.10:80/SCTP", "[2001:db8::1]:80/TCP", "192.0.2.10:x/TCP"} {
		if key, err := parseFrontend(bad); err == nil {
			t.Errorf("%q became %v", bad, key)
		}
	}
}
