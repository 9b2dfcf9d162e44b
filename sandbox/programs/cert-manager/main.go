// Command webhooks serves cert-manager's validating webhook at https://127.0.0.1:PORT/validate, for the tests. The code that
// judges is upstream's; its own program can't be told to listen on one address alone, and is no part of its Go module. The
// module's path lies below upstream's: Go lets nothing else import internal packages.
package main

import (
	"flag"
	"log"

	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	acme "github.com/cert-manager/cert-manager/internal/apis/acme/install"
	certmanager "github.com/cert-manager/cert-manager/internal/apis/certmanager/install"
	meta "github.com/cert-manager/cert-manager/internal/apis/meta/install"
	"github.com/cert-manager/cert-manager/internal/webhook/admission/resourcevalidation"
	"github.com/cert-manager/cert-manager/pkg/webhook/admission"
)

func main() {
	port := flag.Int("port", 0, "port on 127.0.0.1")
	certs := flag.String("certs", "", "folder with tls.crt and tls.key")
	flag.Parse()
	scheme := runtime.NewScheme()
	certmanager.Install(scheme)
	acme.Install(scheme)
	meta.Install(scheme)
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: *port, CertDir: *certs})
	chain := admission.PluginChain{resourcevalidation.NewPlugin()}
	server.Register("/validate", admission.NewCustomValidationWebhook(scheme, chain))
	if err := server.Start(ctrl.SetupSignalHandler()); err != nil {
		log.Fatal(err)
	}
}
