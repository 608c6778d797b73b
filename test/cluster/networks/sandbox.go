package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/containernetworking/cni/libcni"
	"github.com/containernetworking/cni/pkg/types"
	types100 "github.com/containernetworking/cni/pkg/types/100"
)

// sandbox is a Pod's network namespace, and what was put into it: noted in a file, so that it can be taken out by another process.
type sandbox struct {
	ID          string       `json:"id"`
	Netns       string       `json:"netns"`
	Namespace   string       `json:"namespace"`
	Pod         string       `json:"pod"`
	UID         string       `json:"uid"`
	Attachments []attachment `json:"attachments"`

	conf *configuration
}

// attachment is one interface. Everything that its removal needs is in it: the definition may be gone by then.
type attachment struct {
	// `<namespace>/<name>` of a definition; the name of the cluster's own network.
	Network      string                 `json:"network"`
	Interface    string                 `json:"interface"`
	Config       json.RawMessage        `json:"config"`
	Capabilities map[string]interface{} `json:"capabilities,omitempty"`
	IPs          []string               `json:"ips,omitempty"`
	MAC          string                 `json:"mac,omitempty"`
}

// interfaceStatus is one entry of network-status.
type interfaceStatus struct {
	Name      string   `json:"name"`
	Interface string   `json:"interface"`
	IPs       []string `json:"ips,omitempty"`
	MAC       string   `json:"mac,omitempty"`
	Default   bool     `json:"default,omitempty"`
	DNS       struct{} `json:"dns"`
}

func (box *sandbox) status() []interfaceStatus {
	all := []interfaceStatus{}
	for _, each := range box.Attachments {
		all = append(all, interfaceStatus{Name: each.Network, Interface: each.Interface, IPs: each.IPs, MAC: each.MAC, Default: each.Interface == "eth0"})
	}
	return all
}

// attach has the plugins make an interface, and notes it before, so that what a failure leaves can be removed.
func (box *sandbox) attach(want attachment) (types.Result, error) {
	box.Attachments = append(box.Attachments, want)
	if err := box.save(); err != nil {
		return nil, err
	}
	list, err := listOf(want.Config, filepath.Base(want.Network))
	if err != nil {
		return nil, err
	}
	result, err := box.conf.plugins().AddNetworkList(context.Background(), list, box.runtime(want))
	if err != nil {
		return nil, err
	}
	made, err := types100.NewResultFromResult(result)
	if err != nil {
		return nil, err
	}
	last := &box.Attachments[len(box.Attachments)-1]
	for _, ip := range made.IPs {
		last.IPs = append(last.IPs, ip.Address.IP.String())
	}
	for _, one := range made.Interfaces {
		if one.Name == want.Interface && one.Sandbox != "" {
			last.MAC = one.Mac
		}
	}
	return result, box.save()
}

// detach has the plugins remove the interface, and forgets it.
func (box *sandbox) detach(index int) error {
	gone := box.Attachments[index]
	list, err := listOf(gone.Config, filepath.Base(gone.Network))
	if err != nil {
		return err
	}
	if err := box.conf.plugins().DelNetworkList(context.Background(), list, box.runtime(gone)); err != nil {
		return err
	}
	box.Attachments = append(box.Attachments[:index:index], box.Attachments[index+1:]...)
	return box.save()
}

func (box *sandbox) detachAll() error {
	for len(box.Attachments) > 0 {
		if err := box.detach(len(box.Attachments) - 1); err != nil {
			return err
		}
	}
	return os.Remove(box.file())
}

func (box *sandbox) runtime(each attachment) *libcni.RuntimeConf {
	pairs := [][2]string{{"IgnoreUnknown", "1"}, {"K8S_POD_NAMESPACE", box.Namespace}, {"K8S_POD_NAME", box.Pod}, {"K8S_POD_UID", box.UID}}
	return &libcni.RuntimeConf{ContainerID: box.ID, NetNS: box.Netns, IfName: each.Interface, Args: pairs, CapabilityArgs: each.Capabilities}
}

func (box *sandbox) file() string { return filepath.Join(box.conf.State, box.ID+".json") }

func (box *sandbox) save() error {
	text, err := json.Marshal(box)
	if err != nil {
		return err
	}
	if err := os.WriteFile(box.file()+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(box.file()+".new", box.file())
}

// load answers nil for a sandbox that nothing is noted of.
func (conf *configuration) load(id string) (*sandbox, error) {
	box := &sandbox{ID: id, conf: conf}
	text, err := os.ReadFile(box.file())
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return box, json.Unmarshal(text, box)
}

// ids are those of all sandboxes that something is noted of.
func (conf *configuration) ids() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(conf.State, "*.json"))
	for i := range files {
		files[i] = strings.TrimSuffix(filepath.Base(files[i]), ".json")
	}
	return files, err
}

// locked does the work while nobody else works on the sandbox.
func (conf *configuration) locked(id string, work func() error) error {
	lock, err := os.OpenFile(filepath.Join(conf.State, id+".lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	return work()
}
