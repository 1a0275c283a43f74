{{/* The image of a service: a digest takes precedence over a tag. Takes root and service. */}}
{{- define "weft.image" -}}
{{- $values := index .root.Values .service -}}
{{- $name := printf "%s/%s" .root.Values.image.registry .service -}}
{{- if $values.digest -}}
{{ $name }}@{{ $values.digest }}
{{- else -}}
{{ $name }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* The host of publicUrl, without its port. */}}
{{- define "weft.host" -}}
{{ (urlParse .Values.publicUrl).hostname }}
{{- end }}

{{/* The number of replicas of a Deployment, empty where an autoscaler sets it. Takes root, service and production. */}}
{{- define "weft.replicas" -}}
{{- $given := (index .root.Values .service).replicas -}}
{{- if .root.Values.autoscaling.enabled -}}
{{- else if not (kindIs "invalid" $given) -}}
{{ $given }}
{{- else if eq .root.Values.profile "production" -}}
{{ .production }}
{{- end -}}
{{- end }}

{{/* The settings of a service: those of the profile, with the values on top. Takes root and service. */}}
{{- define "weft.config" -}}
{{- $settings := include (printf "weft.defaults.%s" .service) .root | fromYaml -}}
{{- if has .service (list "gateway" "workflows" "executions" "runner") -}}
{{- with .root.Values.publicUrl }}{{ $_ := set $settings "PUBLIC_URL" . }}{{ end -}}
{{- with .root.Values.webhookHost }}{{ $_ := set $settings "WEBHOOK_HOST" . }}{{ end -}}
{{- end -}}
{{- if and (eq .service "gateway") (or .root.Values.gatewayApi.enabled .root.Values.ingress.enabled) (not (hasKey $settings "TRUST_PROXY")) -}}
{{- $_ := set $settings "TRUST_PROXY" "1" -}}
{{- end -}}
{{- range $name, $value := (index .root.Values .service).config -}}
{{- if kindIs "invalid" $value }}{{ $_ := unset $settings $name }}{{ else }}{{ $_ := set $settings $name $value }}{{ end -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end }}

{{/* Changes with the settings of a service, so that its pods are replaced. Takes root and service. */}}
{{- define "weft.checksum" -}}
{{- print (include "weft.config" .) (toYaml .root.Values.nats) | sha256sum -}}
{{- end }}

{{/* Changes with the configuration of the NATS servers. */}}
{{- define "weft.natsChecksum" -}}
{{- include "weft.natsConfig" . | sha256sum -}}
{{- end }}

{{/* What the values add to the pods of a service. Takes root and service. */}}
{{- define "weft.pod" -}}
{{- $values := index .root.Values .service -}}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
