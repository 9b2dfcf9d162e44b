package main

import (
	"encoding/json"
	"os"

	corev1 "k8s.io/api/core/v1"

	apiv1 "github.com/cloudnative-pg/cloudnative-pg/api/v1"
	"github.com/cloudnative-pg/cloudnative-pg/pkg/management/pgbouncer/config"
	"github.com/cloudnative-pg/cloudnative-pg/pkg/postgres"
)

// input is a Cluster and its Pooler with the Secrets that the operator makes for them.
type input struct {
	Major   int
	Cluster apiv1.Cluster
	Pooler  apiv1.Pooler
	// The pooler's client certificate, by which PostgreSQL knows it.
	AuthQuery corev1.Secret
	ClientTLS corev1.Secret
	ClientCA  corev1.Secret
	ServerCA  corev1.Secret
}

// files prints the files by the paths at which the operator's pods have them.
func files([]string) error {
	var in input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		return err
	}
	in.Cluster.Default()
	conf, _ := postgres.CreatePostgresqlConfFile(postgres.CreatePostgresqlConfiguration(postgres.ConfigurationInfo{
		ClusterName:                     in.Cluster.Name,
		Settings:                        postgres.CnpgConfigurationSettings,
		MajorVersion:                    in.Major,
		UserSettings:                    in.Cluster.Spec.PostgresConfiguration.Parameters,
		IncludingMandatory:              true,
		IncludingSharedPreloadLibraries: true,
	}))
	hba, err := postgres.CreateHBARules(in.Cluster.Spec.PostgresConfiguration.PgHBA,
		postgres.HBAOptions{DefaultAuthenticationMethod: "scram-sha-256"})
	if err != nil {
		return err
	}
	ident, err := postgres.CreateIdentRules(in.Cluster.Spec.PostgresConfiguration.PgIdent, "postgres")
	if err != nil {
		return err
	}
	pooler, err := config.BuildConfigurationFiles(&in.Pooler, &config.Secrets{
		AuthQuery: &in.AuthQuery,
		ClientTLS: &in.ClientTLS,
		ClientCA:  &in.ClientCA,
		ServerCA:  &in.ServerCA,
	})
	if err != nil {
		return err
	}
	out := map[string]string{"custom.conf": conf, "pg_hba.conf": hba, "pg_ident.conf": ident}
	for path, content := range pooler {
		out[path] = string(content)
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}
