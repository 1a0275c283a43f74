//go:build tools

// The types of the custom resources that components of the manifests use, and the generator that makes their
// definitions for an API server from them.
package types

import (
	_ "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	_ "github.com/external-secrets/external-secrets/apis/externalsecrets/v1"
	_ "github.com/kedacore/keda/v2/apis/keda/v1alpha1"
	_ "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	_ "sigs.k8s.io/controller-tools/cmd/controller-gen"
	_ "sigs.k8s.io/gateway-api/apis/v1"
)
