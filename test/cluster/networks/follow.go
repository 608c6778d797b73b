package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"slices"
	"time"
)

// follow watches the Pods of a node, and puts those that run on the networks that they ask for, and off others. The file `ready` is there
// once it does.
func follow(file, node, ready string) error {
	conf, err := readConfiguration(file)
	if err != nil {
		return err
	}
	server, err := conf.api()
	if err != nil {
		return err
	}
	if err := os.Remove(ready); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for {
		if err := server.watch(conf, node, ready); err != nil {
			log.Print(err)
		}
		time.Sleep(time.Second)
	}
}

// watch lists the Pods and then hears of their changes, until the connection ends.
func (a *api) watch(conf *configuration, node, ready string) error {
	query := "/api/v1/pods?fieldSelector=spec.nodeName%3D" + node
	list := struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
		Items []pod `json:"items"`
	}{}
	if err := a.get(query, &list); err != nil {
		return err
	}
	body, err := a.do("GET", query+"&watch=true&resourceVersion="+list.Metadata.ResourceVersion, "", nil)
	if err != nil {
		return err
	}
	defer body.Close()
	if err := os.WriteFile(ready, nil, 0o600); err != nil {
		return err
	}
	for i := range list.Items {
		a.reconcile(conf, &list.Items[i])
	}
	for events := json.NewDecoder(body); ; {
		event := struct {
			Type   string `json:"type"`
			Object pod    `json:"object"`
		}{}
		if err := events.Decode(&event); err != nil {
			return err
		}
		switch event.Type {
		case "ADDED", "MODIFIED":
			a.reconcile(conf, &event.Object)
		case "ERROR":
			return fmt.Errorf("the watch of Pods ended")
		}
	}
}

func (a *api) reconcile(conf *configuration, p *pod) {
	ids, err := conf.ids()
	for _, id := range ids {
		if err == nil {
			err = conf.locked(id, func() error { return a.reconcileSandbox(conf, id, p) })
		}
	}
	if err != nil {
		log.Printf("Pod %s/%s: %v", p.Metadata.Namespace, p.Metadata.Name, err)
	}
}

func (a *api) reconcileSandbox(conf *configuration, id string, p *pod) error {
	box, err := conf.load(id)
	if err != nil || box == nil || box.UID != p.Metadata.UID {
		return err
	}
	wanted, err := p.selections(furtherAnnotation)
	if err != nil {
		return err
	}
	changed, err := a.change(box, p, wanted)
	if changed {
		if failed := a.setStatus(box); failed != nil {
			return failed
		}
	}
	return err
}

// change answers whether anything was.
func (a *api) change(box *sandbox, p *pod, wanted []selection) (bool, error) {
	changed := false
	for i := len(box.Attachments) - 1; i > 0; i-- {
		if isWanted(box.Attachments[i], wanted) {
			continue
		}
		if err := box.detach(i); err != nil {
			a.tell(p, "FailedRemovingInterface", fmt.Sprintf("pod [%s/%s]: failed removing interface: %v", box.Namespace, box.Pod, err))
			return changed, err
		}
		changed = true
	}
	for _, want := range wanted {
		if box.has(want) {
			continue
		}
		if err := a.attachTo(box, want); err != nil {
			message := fmt.Sprintf("pod [%s/%s]: failed adding interface %s to network: %s: %v", box.Namespace, box.Pod, want.Interface, want.Name, err)
			a.tell(p, "FailedAddingInterface", message)
			return changed, err
		}
		changed = true
	}
	return changed, nil
}

// attachTo takes back what a plugin that failed has left.
func (a *api) attachTo(box *sandbox, want selection) error {
	one, err := a.attachmentTo(want, want.Interface)
	if err != nil {
		return err
	}
	if _, err := box.attach(one); err != nil {
		if left := box.detach(len(box.Attachments) - 1); left != nil {
			return fmt.Errorf("%w; and then: %v", err, left)
		}
		return err
	}
	return nil
}

func (box *sandbox) has(want selection) bool {
	return slices.ContainsFunc(box.Attachments, func(each attachment) bool { return each.is(want) })
}

func isWanted(each attachment, wanted []selection) bool { return slices.ContainsFunc(wanted, each.is) }

func (each attachment) is(want selection) bool {
	return each.Network == want.Namespace+"/"+want.Name && each.Interface == want.Interface
}
