module hearth.local/sandbox/crds

go 1.26.4

require (
	github.com/cert-manager/cert-manager v1.21.2
	github.com/cloudnative-pg/cloudnative-pg v1.30.0
	github.com/cloudnative-pg/plugin-barman-cloud v0.15.0
	github.com/external-secrets/external-secrets v1.3.2
	github.com/prometheus-operator/prometheus-operator v0.85.0
	github.com/traefik/traefik/v3 v3.7.13
	sigs.k8s.io/gateway-api v1.6.1
)
