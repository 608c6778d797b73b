// One program that holds a whole Kubernetes for tests. It acts as the command that it is called by: a link's name, or its first
// argument. Linked into one, the components share their 140 MB of code, and are compiled once.
//
// KWOK is a program of its own (../kwok): its newest release for this Kubernetes does not compile with 1.34's libraries.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	helm "helm.sh/helm/v4/pkg/cmd"
	genericserver "k8s.io/apiserver/pkg/server"
	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
	metrics "sigs.k8s.io/metrics-server/cmd/metrics-server/app"
)

var commands = map[string]func(){
	"etcd":                    func() { etcdmain.Main(os.Args) },
	"expose":                  runExpose,
	"helm":                    runHelm,
	"kube-apiserver":          component(apiserver.NewAPIServerCommand),
	"kube-controller-manager": component(controllers.NewControllerManagerCommand),
	"kube-proxy":              component(proxy.NewProxyCommand),
	"kube-scheduler":          component(func() *cobra.Command { return scheduler.NewSchedulerCommand() }),
	"kubectl":                 runKubectl,
	"kubelet":                 component(func() *cobra.Command { return kubelet.NewKubeletCommand(context.Background()) }),
	"metrics-server":          component(func() *cobra.Command { return metrics.NewMetricsServerCommand(genericserver.SetupSignalHandler()) }),
}

func main() {
	run, ok := commands[filepath.Base(os.Args[0])]
	if !ok && len(os.Args) > 1 {
		os.Args = os.Args[1:]
		run, ok = commands[os.Args[0]]
	}
	if !ok {
		names := []string{}
		for name := range commands {
			names = append(names, name)
		}
		slices.Sort(names)
		fmt.Fprintf(os.Stderr, "usage: kubernetes %s [argument…]\n", strings.Join(names, "|"))
		os.Exit(2)
	}
	run()
}

// component makes a command only when it is called: each registers flags and signal handlers of its own.
func component(make func() *cobra.Command) func() {
	return func() { os.Exit(cli.Run(make())) }
}

func runKubectl() {
	if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err)
	}
}

func runHelm() {
	command, err := helm.NewRootCmd(os.Stdout, os.Args[1:], helm.SetupLogging)
	if err == nil {
		err = command.Execute()
	}
	if failed, ok := err.(helm.CommandError); ok {
		os.Exit(failed.ExitCode)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
