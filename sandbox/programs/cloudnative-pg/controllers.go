package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"runtime"

	"github.com/cloudnative-pg/machinery/pkg/log"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	apiv1 "github.com/cloudnative-pg/cloudnative-pg/api/v1"
	"github.com/cloudnative-pg/cloudnative-pg/internal/cnpi/plugin/repository"
	"github.com/cloudnative-pg/cloudnative-pg/internal/configuration"
	"github.com/cloudnative-pg/cloudnative-pg/internal/controller"
	"github.com/cloudnative-pg/cloudnative-pg/internal/scheme"
	webhookv1 "github.com/cloudnative-pg/cloudnative-pg/internal/webhook/v1"
	"github.com/cloudnative-pg/cloudnative-pg/pkg/certs"
	"github.com/cloudnative-pg/cloudnative-pg/pkg/utils"
)

// As many at once as with upstream's own program.
const concurrent = 10

// controllers runs upstream's controllers on the API server of KUBECONFIG. It serves nothing, and reaches nothing else but the sockets of
// plugins: a controller that asks instances gets the answers of [instances]. Two are left out, since nothing keeps them from calling the made-up
// addresses: the one of Backups asks instances through a client of its own, the one of plugins connects to their Services.
func controllers(args []string) error {
	flags := flag.NewFlagSet("controllers", flag.ExitOnError)
	sockets := flags.String("plugins", "", "folder with the sockets of plugins, each named as its plugin")
	_ = flags.Parse(args)
	(&log.Flags{}).ConfigureLogging()
	ctx := ctrl.SetupSignalHandler()
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme.BuildWithAllKnownScheme(),
		Metrics: server.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	if err := ownImage(); err != nil {
		return err
	}
	discovery, err := utils.GetDiscoveryClient()
	if err != nil {
		return err
	}
	if err := utils.DetectVolumeSnapshotExist(discovery); err != nil {
		return err
	}
	pair, err := certs.GenerateSelfSignedClientCertificate("cloudnative-pg")
	if err != nil {
		return err
	}
	certificate, err := pair.TLSCertificate()
	if err != nil {
		return err
	}
	plugins := repository.New()
	defer plugins.Close()
	if _, err := plugins.RegisterUnixSocketPluginsInPath(*sockets); err != nil {
		return err
	}

	cluster := controller.NewClusterReconciler(
		manager, discovery, plugins, configuration.DefaultDrainTaints, &certificate, webhookv1.NewClusterAdmissionGuard(),
	)
	cluster.InstanceClient = instances{}
	recorder := manager.GetEventRecorderFor("cloudnative-pg")
	pooler := &controller.PoolerReconciler{
		Client:          manager.GetClient(),
		DiscoveryClient: discovery,
		Scheme:          manager.GetScheme(),
		Recorder:        recorder,
		Admission:       webhookv1.NewPoolerAdmissionGuard(),
	}
	scheduled := &controller.ScheduledBackupReconciler{
		Client:    manager.GetClient(),
		Scheme:    manager.GetScheme(),
		Recorder:  recorder,
		Admission: webhookv1.NewScheduledBackupAdmissionGuard(),
	}
	for _, each := range []interface {
		SetupWithManager(context.Context, ctrl.Manager, int) error
	}{cluster, pooler, scheduled} {
		if err := each.SetupWithManager(ctx, manager, concurrent); err != nil {
			return err
		}
	}
	if err := indexBackups(ctx, manager); err != nil {
		return err
	}
	if err := (promotions{manager.GetClient()}).setUp(manager); err != nil {
		return err
	}
	return manager.Start(ctx)
}

// indexBackups does what the controller of Backups does for the one of Clusters, which asks for those of one Cluster.
func indexBackups(ctx context.Context, manager ctrl.Manager) error {
	return manager.GetFieldIndexer().IndexField(ctx, &apiv1.Backup{}, ".spec.cluster.name", func(object client.Object) []string {
		return []string{object.(*apiv1.Backup).Spec.Cluster.Name}
	})
}

// ownImage lays this program where the operator's image has its own for each architecture: its hash is compared with that of the
// program in each pod.
func ownImage() error {
	folder, err := os.MkdirTemp("", "cloudnative-pg-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(folder, "operator"), 0o700); err != nil {
		return err
	}
	if err := os.Symlink(program, filepath.Join(folder, "operator", "manager_"+runtime.GOARCH)); err != nil {
		return err
	}
	if err := os.Chdir(folder); err != nil {
		return err
	}
	if err := utils.DetectAvailableArchitectures(); err != nil {
		return err
	}
	for _, each := range utils.GetAvailableArchitectures() {
		each.GetHash()
	}
	return nil
}
