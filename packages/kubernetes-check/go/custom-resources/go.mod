module custom-resources

go 1.25

require (
	github.com/cert-manager/cert-manager v1.21.2
	github.com/external-secrets/external-secrets v0.16.2
	github.com/kedacore/keda/v2 v2.21.0
	github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring v0.95.1
	sigs.k8s.io/controller-tools v0.23.0
	sigs.k8s.io/gateway-api v1.5.1
)
