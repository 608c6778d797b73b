{{/*
What the Pods of all programs have in common. Takes a dict: "root" is $, "of" the program without zun-, "values" its part of the values,
"command" the word after zun, "grace" the seconds that it may take to end, "ports" a YAML list, "root-user" whether it is root,
"readiness" the path that says whether it can work, /readyz unless said.
*/}}
{{- define "zun.pod" -}}
{{- $root := .root -}}
metadata:
  labels: {{- include "zun.labels" . | nindent 4 }}
  annotations:
    # New Pods for a new configuration. A Secret that the chart did not make is not looked at: restart the Pods when it changes.
    checksum/configuration: {{ list (include "zun.configuration" $root) $root.Values.secrets | toJson | sha256sum }}
spec:
  serviceAccountName: {{ include "zun.fullname" $root }}-{{ .of }}
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .grace }}
  {{- with $root.Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with .values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .spread }}
  topologySpreadConstraints:
    {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
    - maxSkew: 1
      topologyKey: {{ . }}
      # A cluster of one node has all of them.
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{- include "zun.selector" $ | nindent 10 }}
      matchLabelKeys: [pod-template-hash]
    {{- end }}
  {{- end }}
  securityContext: {{- include "zun.podSecurity" . | nindent 4 }}
  containers:
    - name: zun-{{ .of }}
      image: {{ include "zun.image" $root }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      args: [{{ .command }}]
      env: {{- include "zun.environment" . | nindent 8 }}
      ports:
        {{- with .ports }}
        {{- . | nindent 8 }}
        {{- end }}
        - { name: admin, containerPort: 9090 }
      # Any program lives while it answers. Whether it can work, which depends on others, only decides who is asked.
      startupProbe:
        httpGet: { path: /healthz, port: admin }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /healthz, port: admin }
        periodSeconds: 10
        timeoutSeconds: 5
      readinessProbe:
        httpGet: { path: {{ .readiness | default "/readyz" | quote }}, port: admin }
        periodSeconds: 5
        # It gives what it asks 5 s.
        timeoutSeconds: 6
      {{- if .drain }}
      lifecycle:
        preStop:
          # So long connections may still come: it takes a while until every node knows that this Pod goes.
          sleep: { seconds: {{ .drain }} }
      {{- end }}
      resources: {{- toYaml .values.resources | nindent 8 }}
      securityContext: {{- include "zun.containerSecurity" . | nindent 8 }}
      volumeMounts: {{- include "zun.mounts" . | nindent 8 }}
  volumes: {{- include "zun.volumes" . | nindent 4 }}
{{- end -}}

{{- define "zun.podSecurity" -}}
{{- if .rootUser -}}
# containerd's socket is root's.
runAsUser: 0
runAsGroup: 0
{{- else -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
{{- end }}
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "zun.containerSecurity" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "zun.environment" -}}
- name: ZUN_CONFIG
  value: /etc/zun/zun.yaml
{{- $root := .root }}
{{- range $variable, $key := .secretVariables | default (dict "ZUN_DATABASE" "database-url" "ZUN_ENCRYPTION_KEY" "encryption-key") }}
- name: {{ $variable }}
  valueFrom:
    secretKeyRef: { name: {{ include "zun.secretName" $root }}, key: {{ $key }} }
{{- end }}
{{- if .root.Values.certificates.configMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/zun-certificates/ca.crt
{{- end }}
{{- with .environment }}
{{ . }}
{{- end }}
{{- end -}}


{{- define "zun.mounts" -}}
- { name: configuration, mountPath: /etc/zun, readOnly: true }
- { name: temporary, mountPath: /tmp }
{{- if .root.Values.certificates.configMap }}
- { name: certificates, mountPath: /etc/zun-certificates, readOnly: true }
{{- end }}
{{- with .mounts }}
{{ . }}
{{- end }}
{{- end -}}

{{- define "zun.volumes" -}}
- name: configuration
  configMap: { name: {{ include "zun.fullname" .root }}-configuration }
- name: temporary
  emptyDir: {}
{{- with .root.Values.certificates.configMap }}
- name: certificates
  configMap: { name: {{ . }} }
{{- end }}
{{- with .volumes }}
{{ . }}
{{- end }}
{{- end -}}
