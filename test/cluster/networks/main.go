// What Multus and its dynamic networks controller are on other clusters, as far as the tests need it: networks beside the Pod network, by
// the Network Plumbing Working Group's standard (NetworkAttachmentDefinitions, the annotations of Pods, network-status). Called by the
// container runtime it is a CNI plugin that has others do the work, the cluster's own and those of the definitions; called as
// `networks follow CONFIGURATION NODE READY` it attaches and detaches what the annotations of running Pods say.
package main

import (
	"fmt"
	"os"

	"github.com/containernetworking/cni/pkg/skel"
	"github.com/containernetworking/cni/pkg/version"
)

func main() {
	if len(os.Args) == 5 && os.Args[1] == "follow" {
		fmt.Fprintln(os.Stderr, follow(os.Args[2], os.Args[3], os.Args[4]))
		os.Exit(1)
	}
	skel.PluginMainFuncs(skel.CNIFuncs{Add: add, Del: del}, version.All, "networks of Pods, by their annotations")
}
