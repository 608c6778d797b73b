{{/*
zun.yaml: what the chart knows goes over what the values say, and that over what is usual: the addresses that clients in the cluster use, and the
name of the installation. It marks all Pods of users, so another release on this cluster needs another one.
*/}}
{{- define "zun.configuration" -}}
{{- $listen := .Values.listenAddress -}}
{{- $service := printf "http://%s-api.%s.svc" (include "zun.fullname" .) .Release.Namespace -}}
{{- $usual := dict
  "kubernetes" (dict "instance" (include "zun.instance" .))
  "api" (dict "publicUrl" (printf "%s:%v" $service .Values.api.service.port))
  "identity" (dict "publicUrl" (printf "%s:%v" $service .Values.identity.servicePort))
-}}
{{- if .Values.wsproxy.enabled }}
{{- $consoles := printf "ws://%s-wsproxy.%s.svc:%v/" (include "zun.fullname" .) .Release.Namespace .Values.wsproxy.service.port }}
{{- $_ := set $usual "consoles" (dict "publicUrl" $consoles) }}
{{- end }}
{{- $agents := dict
  "nodeAccess" (ne .Values.agent.containerdSocket "")
  "agentNamespace" .Release.Namespace
  "agentSelector" (printf "app.kubernetes.io/name=zun-compute-agent,app.kubernetes.io/instance=%s" .Release.Name)
  "projectRoles" (include "zun.projectRoles" . | fromYaml)
-}}
{{- $known := dict
  "runtime" (dict "kind" "kubernetes")
  "api" (dict "host" $listen "port" 9517)
  "consoles" (dict "host" $listen "port" 6784)
  "admin" (dict "host" $listen "port" 9090)
  "kubernetes" $agents
-}}
{{ mustMergeOverwrite $usual (deepCopy .Values.config) $known | toYaml }}
{{- end -}}
