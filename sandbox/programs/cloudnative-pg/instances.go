package main

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sort"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	pgtime "github.com/cloudnative-pg/machinery/pkg/postgres/time"

	apiv1 "github.com/cloudnative-pg/cloudnative-pg/api/v1"
	"github.com/cloudnative-pg/cloudnative-pg/pkg/management/postgres/webserver/client/remote"
	"github.com/cloudnative-pg/cloudnative-pg/pkg/postgres"
	"github.com/cloudnative-pg/cloudnative-pg/pkg/utils"
	contextutils "github.com/cloudnative-pg/cloudnative-pg/pkg/utils/context"
	"github.com/cloudnative-pg/cloudnative-pg/pkg/versions"
)

// instances stands in for the program that upstream runs in each pod: a simulated pod has none, and its address leads nowhere. What it
// says of a pod follows from the pods and their Cluster: one that is ready runs PostgreSQL, and a standby has all that the primary has.
type instances struct{}

var _ remote.InstanceClient = instances{}

var errNotReady = errors.New("the simulated instance is not ready")
var errSimulated = errors.New("a simulated instance has no data")

func (instances) GetStatusFromInstances(ctx context.Context, pods corev1.PodList) postgres.PostgresqlStatusList {
	cluster, _ := ctx.Value(contextutils.ContextKeyCluster).(*apiv1.Cluster)
	primary := cluster.Status.CurrentPrimary
	list := postgres.PostgresqlStatusList{IsReplicaCluster: cluster.IsReplica(), CurrentPrimary: primary}
	active := utils.FilterActivePods(pods.Items)
	isPrimary := func(pod corev1.Pod) bool { return pod.Name == primary && utils.IsPodReady(pod) }
	for _, pod := range active {
		status := statusOf(cluster, pod)
		status.IsWalReceiverActive = status.Error == nil && !status.IsPrimary && slices.ContainsFunc(active, isPrimary)
		status.AddPod(pod)
		list.Items = append(list.Items, status)
	}
	sort.Sort(&list)
	return list
}

func statusOf(cluster *apiv1.Cluster, pod corev1.Pod) postgres.PostgresqlStatus {
	if !utils.IsPodReady(pod) {
		return postgres.PostgresqlStatus{Error: errNotReady}
	}
	arch, err := utils.GetAvailableArchitecture(runtime.GOARCH)
	if err != nil {
		return postgres.PostgresqlStatus{Error: err}
	}
	return postgres.PostgresqlStatus{
		SystemID:               string(cluster.UID),
		IsPrimary:              pod.Name == cluster.Status.CurrentPrimary,
		CurrentLsn:             "0/3000000",
		ReceivedLsn:            "0/3000000",
		ReplayLsn:              "0/3000000",
		TimeLineID:             1,
		ExecutableHash:         arch.GetHash(),
		InstanceManagerVersion: versions.Version,
		InstanceArch:           arch.GoArch,
		SessionID:              string(pod.UID),
	}
}

func (instances) GetPgControlDataFromInstance(context.Context, *corev1.Pod) (string, error) {
	return "", errSimulated
}

func (instances) UpgradeInstanceManager(context.Context, *corev1.Pod, *utils.AvailableArchitecture) error {
	return errSimulated
}

func (instances) ArchivePartialWAL(context.Context, *corev1.Pod) (string, error) {
	return "", errSimulated
}

// promotions writes into a Cluster's status what the program of the pod that shall be primary writes there once it is.
type promotions struct {
	client.Client
}

func (p promotions) setUp(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).Named("promotions").For(&apiv1.Cluster{}).Owns(&corev1.Pod{}).Complete(p)
}

func (p promotions) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var cluster apiv1.Cluster
	if err := p.Get(ctx, request.NamespacedName, &cluster); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	target := cluster.Status.TargetPrimary
	if target == "" || target == cluster.Status.CurrentPrimary {
		return ctrl.Result{}, nil
	}
	var pod corev1.Pod
	if err := p.Get(ctx, client.ObjectKey{Namespace: cluster.Namespace, Name: target}, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pod.Status.Phase != corev1.PodRunning {
		return ctrl.Result{}, nil
	}
	before := cluster.DeepCopy()
	cluster.Status.CurrentPrimary = target
	cluster.Status.CurrentPrimaryTimestamp = pgtime.GetCurrentTimestamp()
	return ctrl.Result{}, client.IgnoreNotFound(p.Status().Patch(ctx, &cluster, client.MergeFrom(before)))
}
