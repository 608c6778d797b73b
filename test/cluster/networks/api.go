package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

const (
	firstAnnotation   = "v1.multus-cni.io/default-network"
	furtherAnnotation = "k8s.v1.cni.cncf.io/networks"
	statusAnnotation  = "k8s.v1.cni.cncf.io/network-status"
)

// pod is as much of a Pod as is heeded.
type pod struct {
	Metadata struct {
		Name            string            `json:"name"`
		Namespace       string            `json:"namespace"`
		UID             string            `json:"uid"`
		ResourceVersion string            `json:"resourceVersion"`
		Annotations     map[string]string `json:"annotations"`
	} `json:"metadata"`
}

// selection is one network that an annotation asks for.
type selection struct {
	Name      string   `json:"name"`
	Namespace string   `json:"namespace"`
	Interface string   `json:"interface"`
	IPs       []string `json:"ips"`
	MAC       string   `json:"mac"`
}

func (p *pod) selections(annotation string) ([]selection, error) {
	text := p.Metadata.Annotations[annotation]
	if text == "" {
		return nil, nil
	}
	list := []selection{}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("annotation %s of Pod %s/%s: %w", annotation, p.Metadata.Namespace, p.Metadata.Name, err)
	}
	for i := range list {
		if list[i].Namespace == "" {
			list[i].Namespace = p.Metadata.Namespace
		}
		if list[i].Interface == "" {
			list[i].Interface = fmt.Sprintf("net%d", i+1)
		}
	}
	return list, nil
}

// api is the API server, asked with the administrator's certificate.
type api struct {
	server string
	client *http.Client
}

func (conf *configuration) api() (*api, error) {
	pki := func(name string) string { return filepath.Join(conf.Certificates, name) }
	pair, err := tls.LoadX509KeyPair(pki("admin.crt"), pki("admin.key"))
	if err != nil {
		return nil, err
	}
	authority, err := os.ReadFile(pki("ca.crt"))
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	transport := &http.Transport{TLSClientConfig: &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: pool}, ResponseHeaderTimeout: 20 * time.Second}
	return &api{server: conf.Server, client: &http.Client{Transport: transport}}, nil
}

// patience is for a server that is being started again: the container runtime would wait longer before it asks for the Pod's networks again.
const patience = 10 * time.Second

func (a *api) do(method, path, contentType string, body interface{}) (io.ReadCloser, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	var response *http.Response
	for end := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		request, err := http.NewRequest(method, a.server+path, nil)
		if err != nil {
			return nil, err
		}
		if body != nil {
			request.Body = io.NopCloser(bytes.NewReader(text))
			request.Header.Set("Content-Type", contentType)
		}
		if response, err = a.client.Do(request); err == nil {
			break
		}
		if time.Now().After(end) {
			return nil, err
		}
	}
	if response.StatusCode >= 300 {
		defer response.Body.Close()
		words, _ := io.ReadAll(response.Body)
		return nil, fmt.Errorf("%s %s: %d %s", method, path, response.StatusCode, words)
	}
	return response.Body, nil
}

func (a *api) get(path string, into interface{}) error {
	body, err := a.do(http.MethodGet, path, "", nil)
	if err != nil {
		return err
	}
	defer body.Close()
	return json.NewDecoder(body).Decode(into)
}

func (a *api) pod(namespace, name string) (*pod, error) {
	found := &pod{}
	return found, a.get("/api/v1/namespaces/"+namespace+"/pods/"+name, found)
}

// definition answers the configuration in a NetworkAttachmentDefinition.
func (a *api) definition(namespace, name string) ([]byte, error) {
	found := struct {
		Spec struct {
			Config string `json:"config"`
		} `json:"spec"`
	}{}
	err := a.get("/apis/k8s.cni.cncf.io/v1/namespaces/"+namespace+"/network-attachment-definitions/"+name, &found)
	return []byte(found.Spec.Config), err
}

// setStatus writes what a Pod's interfaces are.
func (a *api) setStatus(box *sandbox) error {
	status, err := json.Marshal(box.status())
	if err != nil {
		return err
	}
	annotations := map[string]string{statusAnnotation: string(status)}
	patch := map[string]interface{}{"metadata": map[string]interface{}{"annotations": annotations}}
	body, err := a.do(http.MethodPatch, "/api/v1/namespaces/"+box.Namespace+"/pods/"+box.Pod, "application/merge-patch+json", patch)
	if err != nil {
		return err
	}
	return body.Close()
}

// tell makes an event of a Pod.
func (a *api) tell(p *pod, reason, message string) error {
	meta := p.Metadata
	now := time.Now().UTC().Format(time.RFC3339)
	event := map[string]interface{}{
		"metadata":       map[string]string{"generateName": meta.Name + ".", "namespace": meta.Namespace},
		"involvedObject": map[string]string{"apiVersion": "v1", "kind": "Pod", "namespace": meta.Namespace, "name": meta.Name, "uid": meta.UID},
		"type":           "Warning", "reason": reason, "message": message, "count": 1,
		"firstTimestamp": now, "lastTimestamp": now, "source": map[string]string{"component": "networks"},
	}
	body, err := a.do(http.MethodPost, "/api/v1/namespaces/"+meta.Namespace+"/events", "application/json", event)
	if err != nil {
		return err
	}
	return body.Close()
}
