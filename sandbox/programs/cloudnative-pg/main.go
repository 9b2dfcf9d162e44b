// Command operator is CloudNativePG without its pods, for the tests:
//
//	operator webhooks -port N -certs FOLDER   upstream's admission webhooks, at https://127.0.0.1:N
//	operator files < input.json               the files it writes for PostgreSQL and PgBouncer, as JSON
//	operator controllers -plugins FOLDER      upstream's controllers, on the API server of KUBECONFIG
//	operator databases -cluster NAME …        the one of them that runs in an instance's pod
//	operator metrics -port N -queries FILE    what an instance's exporter asks PostgreSQL, at http://127.0.0.1:N/metrics
//
// The code is upstream's. Its own manager offers no way to listen on one address alone, and calls the pods it makes. The module's path
// lies below upstream's: Go lets nothing else import internal packages.
package main

import (
	"flag"
	"log"
	"os"

	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/cloudnative-pg/cloudnative-pg/internal/scheme"
	webhookv1 "github.com/cloudnative-pg/cloudnative-pg/internal/webhook/v1"
)

func main() {
	commands := map[string]func([]string) error{
		"webhooks": webhooks, "files": files, "controllers": controllers, "databases": databases,
		"metrics": metricsOf,
	}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		log.Fatal("usage: operator webhooks | files | controllers | databases | metrics, with the options that main.go names")
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		log.Fatal(err)
	}
}

func webhooks(args []string) error {
	flags := flag.NewFlagSet("webhooks", flag.ExitOnError)
	port := flags.Int("port", 0, "port on 127.0.0.1")
	certs := flags.String("certs", "", "folder with tls.crt and tls.key")
	_ = flags.Parse(args)
	manager, err := ctrl.NewManager(&rest.Config{}, ctrl.Options{
		Scheme:        scheme.BuildWithAllKnownScheme(),
		Metrics:       server.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: *port, CertDir: *certs}),
	})
	if err != nil {
		return err
	}
	for _, setUp := range []func(ctrl.Manager) error{
		webhookv1.SetupBackupWebhookWithManager,
		webhookv1.SetupClusterWebhookWithManager,
		webhookv1.SetupDatabaseWebhookWithManager,
		webhookv1.SetupPoolerWebhookWithManager,
		webhookv1.SetupScheduledBackupWebhookWithManager,
	} {
		if err := setUp(manager); err != nil {
			return err
		}
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
