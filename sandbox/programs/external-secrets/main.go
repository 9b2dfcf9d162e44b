// Command webhooks serves External Secrets' webhook for ExternalSecrets at https://127.0.0.1:PORT, for the tests. The code that
// judges is upstream's. Its own program is not to be had as a Go module: since 1.0 its parts replace one another by paths.
// The release in go.mod is the last before that; the file that judges ExternalSecrets is the same in 1.3.2.
package main

import (
	"flag"
	"log"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	externalsecrets "github.com/external-secrets/external-secrets/apis/externalsecrets/v1"
)

func main() {
	port := flag.Int("port", 0, "port on 127.0.0.1")
	certs := flag.String("certs", "", "folder with tls.crt and tls.key")
	flag.Parse()
	if err := serve(*port, *certs); err != nil {
		log.Fatal(err)
	}
}

func serve(port int, certs string) error {
	scheme := runtime.NewScheme()
	if err := externalsecrets.AddToScheme(scheme); err != nil {
		return err
	}
	manager, err := ctrl.NewManager(&rest.Config{}, ctrl.Options{
		Scheme:        scheme,
		Metrics:       server.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: certs}),
	})
	if err != nil {
		return err
	}
	if err := (&externalsecrets.ExternalSecret{}).SetupWebhookWithManager(manager); err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
