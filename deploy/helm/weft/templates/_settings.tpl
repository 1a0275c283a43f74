{{- /* Made by `npm run chart:gen` from deploy/k8s; do not edit. */ -}}
{{- define "weft.defaults.gateway" }}
LOG_LEVEL: info
{{- if eq .Values.profile "production" }}
PUBLIC_URL: {{ .Values.publicUrl | quote }}
TRUST_PROXY: "1"
{{- end }}
{{- end }}

{{- define "weft.defaults.workflows" }}
LOG_LEVEL: info
{{- if eq .Values.profile "production" }}
GRPC_REFLECTION: "off"
PUBLIC_URL: {{ .Values.publicUrl | quote }}
{{- end }}
{{- end }}

{{- define "weft.defaults.executions" }}
LOG_LEVEL: info
{{- if eq .Values.profile "production" }}
GRPC_REFLECTION: "off"
PUBLIC_URL: {{ .Values.publicUrl | quote }}
{{- end }}
{{- if eq .Values.nats.mode "cluster" }}
NATS_STREAM_REPLICAS: "3"
{{- end }}
{{- end }}

{{- define "weft.defaults.credentials" }}
LOG_LEVEL: info
{{- if eq .Values.profile "production" }}
BASIC_AUTH: "off"
GRPC_REFLECTION: "off"
{{- end }}
{{- end }}

{{- define "weft.defaults.runner" }}
LOG_LEVEL: info
{{- if eq .Values.profile "production" }}
GRPC_REFLECTION: "off"
PUBLIC_URL: {{ .Values.publicUrl | quote }}
{{- end }}
{{- if eq .Values.profile "small" }}
RUNNER_SANDBOX_MB: "64"
RUNNER_SANDBOXES: "1"
{{- end }}
{{- end }}
