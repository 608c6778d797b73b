{{/*
The rights of a program are in three places, and its roles.yaml says which are where:
  zun.clusterRole    in all of the cluster: as little as can be, and no Secrets
  zun.projectRole    in namespaces of projects: zun-compute binds it in each, as it comes (kubernetes.projectRoles)
  zun.namespaceRole  in one namespace
Each begins a role, whose rules follow, and binds the first and the last of them. Takes (dict "root" $ "of" "compute").
*/}}
{{- define "zun.clusterRole" -}}
{{- $name := include "zun.clusterName" . -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ $name }}
  labels: {{- include "zun.labels" . | nindent 4 }}
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {{ $name }} }
subjects:
  - { kind: ServiceAccount, name: {{ include "zun.fullname" .root }}-{{ .of }}, namespace: {{ .root.Release.Namespace }} }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ $name }}
  labels: {{- include "zun.labels" . | nindent 4 }}
{{- end -}}

{{- define "zun.projectRole" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ include "zun.clusterName" . }}-project
  labels: {{- include "zun.labels" . | nindent 4 }}
{{- end -}}

{{/* Takes the namespace, too, and the programs that it is for. */}}
{{- define "zun.namespaceRole" -}}
{{- $name := printf "%s-%s" (include "zun.fullname" .root) .of -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ $name }}
  namespace: {{ .namespace }}
  labels: {{- include "zun.labels" . | nindent 4 }}
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: {{ $name }} }
subjects:
  {{- range .programs }}
  - { kind: ServiceAccount, name: {{ include "zun.fullname" $.root }}-{{ . }}, namespace: {{ $.root.Release.Namespace }} }
  {{- end }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ $name }}
  namespace: {{ .namespace }}
  labels: {{- include "zun.labels" . | nindent 4 }}
{{- end -}}

{{/* What is bound in each namespace of a project: the role, and whose service account gets it. */}}
{{- define "zun.projectRoles" -}}
{{- $programs := list "api" "compute" -}}
{{- if .Values.wsproxy.enabled }}{{ $programs = append $programs "wsproxy" }}{{ end -}}
{{- range $programs }}
{{ include "zun.clusterName" (dict "root" $ "of" .) }}-project: {{ $.Release.Namespace }}/{{ include "zun.fullname" $ }}-{{ . }}
{{- end }}
{{- end -}}
