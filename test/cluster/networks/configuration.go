package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/containernetworking/cni/libcni"
	"github.com/containernetworking/cni/pkg/types"
)

// configuration is this plugin's own, as it stands in the container runtime's list.
type configuration struct {
	types.PluginConf
	// The API server's address, and the folder with ca.crt, admin.crt and admin.key.
	Server       string `json:"server"`
	Certificates string `json:"certificates"`
	// Where the plugins lie that do the work, and where this one notes what it had them do.
	Programs string `json:"programs"`
	State    string `json:"state"`
	// The cluster's own network: a list of plugins.
	Cluster       json.RawMessage        `json:"cluster"`
	RuntimeConfig map[string]interface{} `json:"runtimeConfig"`
}

func parseConfiguration(bytes []byte) (*configuration, error) {
	conf := &configuration{}
	if err := json.Unmarshal(bytes, conf); err != nil {
		return nil, fmt.Errorf("the configuration of networks: %w", err)
	}
	return conf, os.MkdirAll(conf.State, 0o700)
}

// readConfiguration finds this plugin in the file that holds the container runtime's list.
func readConfiguration(file string) (*configuration, error) {
	list, err := libcni.ConfListFromFile(file)
	if err != nil {
		return nil, err
	}
	for _, plugin := range list.Plugins {
		if plugin.Network.Type == "networks" {
			return parseConfiguration(plugin.Bytes)
		}
	}
	return nil, fmt.Errorf("%s has no plugin networks", file)
}

func (conf *configuration) plugins() *libcni.CNIConfig {
	return libcni.NewCNIConfigWithCacheDir([]string{conf.Programs}, filepath.Join(conf.State, "results"), nil)
}

// listOf makes a list of plugins of what a definition holds: a list, or one plugin. Without a name it has the definition's.
func listOf(config []byte, name string) (*libcni.NetworkConfigList, error) {
	fields := map[string]interface{}{}
	if err := json.Unmarshal(config, &fields); err != nil {
		return nil, fmt.Errorf("the configuration of network %s: %w", name, err)
	}
	if fields["name"] == nil {
		fields["name"] = name
	}
	named, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	if fields["plugins"] != nil {
		return libcni.ConfListFromBytes(named)
	}
	one, err := libcni.ConfFromBytes(named)
	if err != nil {
		return nil, err
	}
	return libcni.ConfListFromConf(one)
}
