{{/* The beginning of all names: the release's, with the chart's where that does not say it. */}}
{{- define "zun.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Of an object that no namespace holds, so that two releases of one name do not share it. Takes (dict "root" $ "of" "compute"). */}}
{{- define "zun.clusterName" -}}
{{ .root.Release.Namespace }}-{{ include "zun.fullname" .root }}-{{ .of }}
{{- end -}}

{{/* Which Pods are a program's. Takes (dict "root" $ "of" "compute"). */}}
{{- define "zun.selector" -}}
app.kubernetes.io/name: zun-{{ .of }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end -}}

{{- define "zun.labels" -}}
{{ include "zun.selector" . }}
app.kubernetes.io/part-of: zun
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end -}}

{{- define "zun.image" -}}
{{- with .Values.image -}}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end -}}
{{- end -}}
{{- end -}}

{{- define "zun.secretName" -}}
{{ .Values.secrets.existingSecret | default (printf "%s-secrets" (include "zun.fullname" .)) }}
{{- end -}}

{{/* A namespace of a project: the prefix, and the project's id or a digest of it. */}}
{{- define "zun.namespacePrefix" -}}
{{ dig "kubernetes" "namespacePrefix" "zun-" .Values.config }}
{{- end -}}

{{/* On everything of users, and in the selectors by which it is found. */}}
{{- define "zun.instance" -}}
{{ dig "kubernetes" "instance" .Release.Name .Values.config }}
{{- end -}}

{{- define "zun.identitySecret" -}}
{{ .Values.identity.existingSecret | default (printf "%s-identity" (include "zun.fullname" .)) }}
{{- end -}}
