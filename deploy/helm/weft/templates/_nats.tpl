{{- /* Made by `npm run chart:gen` from deploy/k8s; do not edit. */ -}}
{{- define "weft.natsConfig" }}
{{- if .Values.nats.security.enabled }}
nats.conf: |
  server_name: $POD_NAME
  listen: 0.0.0.0:4222
  http: 0.0.0.0:8222
  jetstream { store_dir: /data, max_mem: 0, max_file: 1GiB }
  tls { cert_file: "/etc/nats-tls/tls.crt", key_file: "/etc/nats-tls/tls.key", timeout: 5 }
  # Paths of includes are relative to the folder of this file.
  authorization { include ../nats-users/users.conf }
  cluster {
    name: weft
    listen: 0.0.0.0:6222
    routes: [
      nats://weft-nats-0.weft-nats-peers:6222
      nats://weft-nats-1.weft-nats-peers:6222
      nats://weft-nats-2.weft-nats-peers:6222
    ]
    # Servers authenticate each other with certificates of the same authority.
    tls {
      cert_file: "/etc/nats-tls/tls.crt", key_file: "/etc/nats-tls/tls.key", ca_file: "/etc/nats-tls/ca.crt"
      verify: true, timeout: 5
    }
  }
  lame_duck_grace_period: 5s
  lame_duck_duration: 30s
{{- else }}
nats.conf: |
  server_name: $POD_NAME
  listen: 0.0.0.0:4222
  http: 0.0.0.0:8222
  jetstream { store_dir: /data, max_mem: 0, max_file: 1GiB }
  cluster {
    name: weft
    listen: 0.0.0.0:6222
    routes: [
      nats://weft-nats-0.weft-nats-peers:6222
      nats://weft-nats-1.weft-nats-peers:6222
      nats://weft-nats-2.weft-nats-peers:6222
    ]
  }
  lame_duck_grace_period: 5s
  lame_duck_duration: 30s
{{- end }}
{{- end }}
