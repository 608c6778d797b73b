{{/* A Deployment with its service account and disruption budget. Takes what "zun.pod" takes. */}}
{{- define "zun.deployment" -}}
{{- $name := printf "%s-%s" (include "zun.fullname" .root) .of -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels: {{- include "zun.labels" . | nindent 4 }}
spec:
  replicas: {{ .values.replicas }}
  selector:
    matchLabels: {{- include "zun.selector" . | nindent 6 }}
  strategy:
    # One that is ready goes only after another one has come.
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template: {{- include "zun.pod" (merge (dict "spread" true) .) | nindent 4 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels: {{- include "zun.labels" . | nindent 4 }}
spec:
  # One at a time. A budget that a single replica could never keep would hold up the drain of its node.
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "zun.selector" . | nindent 6 }}
---
{{ include "zun.serviceAccount" . }}
{{- end -}}

{{- define "zun.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "zun.fullname" .root }}-{{ .of }}
  labels: {{- include "zun.labels" . | nindent 4 }}
{{- end -}}

{{- define "zun.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "zun.fullname" .root }}-{{ .of }}
  labels: {{- include "zun.labels" . | nindent 4 }}
  {{- with .values.service.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ .values.service.type }}
  selector: {{- include "zun.selector" . | nindent 4 }}
  ports:
    - { name: http, port: {{ .values.service.port }}, targetPort: http, appProtocol: http }
    {{- with .morePorts }}
    {{- . | nindent 4 }}
    {{- end }}
{{- end -}}
