// Command kube is the sandbox's control plane and kubectl in one binary: they share most of their code, so one build
// and one file take the place of five. As with BusyBox, the name it is called by (a symbolic link) chooses the program.
// Each part starts as its own main function does upstream: k8s.io/kubernetes/cmd/<name>/<name>.go.
package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	_ "time/tzdata" // time zones of CronJobs

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectlcmd "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

var programs = map[string]func(){
	"etcd":                    func() { etcdmain.Main(os.Args) },
	"kube-apiserver":          func() { run(apiserver.NewAPIServerCommand()) },
	"kube-controller-manager": func() { run(controllermanager.NewControllerManagerCommand()) },
	"kube-scheduler":          func() { run(scheduler.NewSchedulerCommand()) },
	"kubectl":                 kubectl,
}

func main() {
	program, ok := programs[filepath.Base(os.Args[0])]
	if !ok {
		names := strings.Join(slices.Sorted(maps.Keys(programs)), ", ")
		fmt.Fprintf(os.Stderr, "%s: call this program through a link named %s\n", os.Args[0], names)
		os.Exit(2)
	}
	program()
}

func run(command *cobra.Command) {
	os.Exit(cli.Run(command))
}

func kubectl() {
	// The verbosity has to be set before the command exists: making it already reads plugins and .kuberc.
	_, _ = logs.GlogSetter(kubectlcmd.GetLogVerbosity(os.Args))
	if err := cli.RunNoErrOutput(kubectlcmd.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err)
	}
}
