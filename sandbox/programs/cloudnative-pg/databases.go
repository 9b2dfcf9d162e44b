package main

import (
	"flag"

	"github.com/cloudnative-pg/machinery/pkg/log"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/cloudnative-pg/cloudnative-pg/internal/management/controller"
	"github.com/cloudnative-pg/cloudnative-pg/internal/scheme"
	webhookv1 "github.com/cloudnative-pg/cloudnative-pg/internal/webhook/v1"
	"github.com/cloudnative-pg/cloudnative-pg/pkg/management/postgres"
)

// databases runs the controller of Databases that upstream's program has in each pod, for one pod: on the PostgreSQL whose socket
// is in folder PGHOST, with port PGPORT.
func databases(args []string) error {
	flags := flag.NewFlagSet("databases", flag.ExitOnError)
	namespace := flags.String("namespace", "", "namespace of the Cluster")
	cluster := flags.String("cluster", "", "name of the Cluster")
	pod := flags.String("pod", "", "name of the pod")
	_ = flags.Parse(args)
	(&log.Flags{}).ConfigureLogging()
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme.BuildWithAllKnownScheme(),
		Metrics: server.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{*namespace: {}}},
	})
	if err != nil {
		return err
	}
	instance := postgres.NewInstance().WithNamespace(*namespace).WithClusterName(*cluster).WithPodName(*pod)
	reconciler := controller.NewDatabaseReconciler(manager, instance, webhookv1.NewDatabaseAdmissionGuard())
	if err := reconciler.SetupWithManager(manager); err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
