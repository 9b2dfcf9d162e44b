// Command argo-cd is Argo CD's application controller, for the tests: it takes the Applications of one namespace to an API server, with the manifests
// of a folder in place of git.
//
//	KUBECONFIG=FILE argo-cd -namespace argocd -folder CHECKOUT
//	argo-cd -health CONFIGMAP FILE...
//
// The second form prints the health of each file's object by the checks of that ConfigMap. The controller and what makes manifests of a folder are upstream's. Upstream's own program also needs a server for each of git and its cache.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	log "github.com/sirupsen/logrus"
	"google.golang.org/grpc"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"

	commitclient "github.com/argoproj/argo-cd/v3/commitserver/apiclient"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/controller"
	"github.com/argoproj/argo-cd/v3/controller/sharding"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/pkg/client/clientset/versioned"
	"github.com/argoproj/argo-cd/v3/pkg/ratelimiter"
	"github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/reposerver/repository"
	"github.com/argoproj/argo-cd/v3/util/argo/normalizers"
	"github.com/argoproj/argo-cd/v3/util/cache"
	"github.com/argoproj/argo-cd/v3/util/cache/appstate"
	"github.com/argoproj/argo-cd/v3/util/git"
	utilio "github.com/argoproj/argo-cd/v3/util/io"
	"github.com/argoproj/argo-cd/v3/util/kube"
	"github.com/argoproj/argo-cd/v3/util/lua"
	"github.com/argoproj/argo-cd/v3/util/settings"
	"github.com/argoproj/gitops-engine/pkg/health"
)

func main() {
	namespace := flag.String("namespace", "argocd", "namespace of the Applications")
	folder := flag.String("folder", "", "stands for the root of every repository")
	checks := flag.String("health", "", "ConfigMap with the health checks")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	action := func() error { return run(ctx, *namespace, *folder) }
	if *checks != "" {
		action = func() error { return printHealth(ctx, *checks, flag.Args()) }
	}
	if err := action(); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, namespace, folder string) error {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	if err := v1alpha1.SetK8SConfigDefaults(config); err != nil {
		return err
	}
	// The cluster that Applications call their own is the one of KUBECONFIG.
	if err := os.Setenv(v1alpha1.EnvVarFakeInClusterConfig, "true"); err != nil {
		return err
	}
	log.AddHook(withoutMetrics{})
	clients := kubernetes.NewForConfigOrDie(config)
	settingsOf := settings.NewSettingsManager(ctx, clients, namespace)
	clusters, err := sharding.GetClusterSharding(clients, settingsOf, common.DefaultShardingAlgorithm, false)
	if err != nil {
		return err
	}
	none := time.Duration(0)
	application, err := controller.NewApplicationController(
		namespace,
		settingsOf,
		clients,
		versioned.NewForConfigOrDie(config),
		manifests(folder),
		commitclient.NewCommitServerClientset(""),
		appstate.NewCache(cache.NewCache(cache.NewInMemoryCache(time.Hour)), time.Hour),
		kube.NewKubectl(),
		time.Hour, time.Hour, none, // comparisons by the clock: each change and each sync comes with one
		none, nil, none, none, none,
		noPort,
		none, nil, nil, nil,
		20,
		true,
		clusters,
		nil,
		ratelimiter.GetDefaultAppRateLimiterConfig(),
		false, false,
		normalizers.IgnoreNormalizerOpts{},
		nil,
		false,
	)
	if err != nil {
		return err
	}
	application.Run(ctx, 2, 2)
	return nil
}

// The controller serves metrics on every address, and has no setting for that. It gets a port that can't be opened, and goes on without.
const noPort = -1

type withoutMetrics struct{}

func (withoutMetrics) Levels() []log.Level { return []log.Level{log.FatalLevel} }

func (withoutMetrics) Fire(entry *log.Entry) error {
	if strings.Contains(entry.Message, "invalid port") {
		runtime.Goexit()
	}
	return nil
}

// manifests is a folder in place of the server that reads repositories.
type manifests string

func (folder manifests) NewRepoServerClient() (utilio.Closer, apiclient.RepoServerServiceClient, error) {
	return utilio.NopCloser, reader{folder: string(folder)}, nil
}

type reader struct {
	apiclient.RepoServerServiceClient
	folder string
}

func (r reader) GenerateManifest(ctx context.Context, asked *apiclient.ManifestRequest, _ ...grpc.CallOption) (*apiclient.ManifestResponse, error) {
	path := filepath.Join(r.folder, asked.ApplicationSource.Path)
	answer, err := repository.GenerateManifests(
		ctx, path, r.folder, asked.Revision, asked, false, git.NoopCredsStore{}, resource.MustParse("100Mi"), nil,
	)
	if err != nil {
		return nil, err
	}
	answer.Revision = asked.Revision
	return answer, nil
}

func printHealth(ctx context.Context, checks string, files []string) error {
	var config corev1.ConfigMap
	if err := readYAML(checks, &config); err != nil {
		return err
	}
	// Upstream reads only what an installation has labelled.
	config.Labels = map[string]string{"app.kubernetes.io/part-of": "argocd"}
	secret := corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: common.ArgoCDSecretName, Namespace: config.Namespace, Labels: config.Labels}}
	overrides, err := settings.NewSettingsManager(ctx, fake.NewClientset(&config, &secret), config.Namespace).GetResourceOverrides()
	if err != nil {
		return err
	}
	for _, file := range files {
		var object unstructured.Unstructured
		if err := readYAML(file, &object); err != nil {
			return err
		}
		found, err := health.GetResourceHealth(&object, lua.ResourceHealthOverrides(overrides))
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		fmt.Println(found.Status)
	}
	return nil
}

func readYAML(file string, into any) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return yaml.Unmarshal(content, into)
}
