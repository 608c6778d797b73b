package main

import (
	"fmt"

	"github.com/containernetworking/cni/pkg/skel"
	"github.com/containernetworking/cni/pkg/types"
)

// podArgs is what the container runtime says of the Pod.
type podArgs struct {
	types.CommonArgs
	K8S_POD_NAMESPACE          types.UnmarshallableString
	K8S_POD_NAME               types.UnmarshallableString
	K8S_POD_UID                types.UnmarshallableString
	K8S_POD_INFRA_CONTAINER_ID types.UnmarshallableString
}

// add gives a new Pod eth0 and its further networks, and writes their status before any of its containers runs.
func add(args *skel.CmdArgs) error {
	conf, err := parseConfiguration(args.StdinData)
	if err != nil {
		return err
	}
	named := podArgs{}
	if err := types.LoadArgs(args.Args, &named); err != nil {
		return err
	}
	server, err := conf.api()
	if err != nil {
		return err
	}
	found, err := server.pod(string(named.K8S_POD_NAMESPACE), string(named.K8S_POD_NAME))
	if err != nil {
		return err
	}
	wanted, err := server.wanted(conf, found, args.IfName)
	if err != nil {
		return err
	}
	meta := found.Metadata
	box := &sandbox{ID: args.ContainerID, Netns: args.Netns, Namespace: meta.Namespace, Pod: meta.Name, UID: meta.UID, conf: conf}
	return conf.locked(box.ID, func() error {
		first, err := box.attachAll(wanted)
		if err == nil {
			err = server.setStatus(box)
		}
		if err != nil {
			if left := box.detachAll(); left != nil {
				return fmt.Errorf("%w; and then: %v", err, left)
			}
			return err
		}
		return types.PrintResult(first, conf.CNIVersion)
	})
}

func (box *sandbox) attachAll(wanted []attachment) (types.Result, error) {
	var first types.Result
	for _, each := range wanted {
		result, err := box.attach(each)
		if err != nil {
			return nil, fmt.Errorf("network %s: %w", each.Network, err)
		}
		if first == nil {
			first = result
		}
	}
	return first, nil
}

// del removes what is noted, in the order in which it came backwards. Of a sandbox of which nothing is, nothing was made.
func del(args *skel.CmdArgs) error {
	conf, err := parseConfiguration(args.StdinData)
	if err != nil {
		return err
	}
	return conf.locked(args.ContainerID, func() error {
		box, err := conf.load(args.ContainerID)
		if err != nil || box == nil {
			return err
		}
		box.Netns = args.Netns
		return box.detachAll()
	})
}

// wanted are the interfaces of a new Pod; the first is eth0.
func (a *api) wanted(conf *configuration, p *pod, firstInterface string) ([]attachment, error) {
	first, err := p.selections(firstAnnotation)
	if err != nil {
		return nil, err
	}
	further, err := p.selections(furtherAnnotation)
	if err != nil {
		return nil, err
	}
	cluster := attachment{Network: "pods", Interface: firstInterface, Config: conf.Cluster, Capabilities: conf.RuntimeConfig}
	all := []attachment{cluster}
	if len(first) > 0 {
		if all[0], err = a.attachmentTo(first[0], firstInterface); err != nil {
			return nil, err
		}
	}
	for _, each := range further {
		one, err := a.attachmentTo(each, each.Interface)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

func (a *api) attachmentTo(want selection, name string) (attachment, error) {
	config, err := a.definition(want.Namespace, want.Name)
	if err != nil {
		return attachment{}, err
	}
	capabilities := map[string]interface{}{}
	if len(want.IPs) > 0 {
		capabilities["ips"] = want.IPs
	}
	if want.MAC != "" {
		capabilities["mac"] = want.MAC
	}
	return attachment{Network: want.Namespace + "/" + want.Name, Interface: name, Config: config, Capabilities: capabilities}, nil
}
