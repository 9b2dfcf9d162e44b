package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	apiv1 "github.com/cloudnative-pg/cloudnative-pg/api/v1"
	"github.com/cloudnative-pg/cloudnative-pg/pkg/certs"
	"github.com/cloudnative-pg/cloudnative-pg/pkg/management/pgbouncer/config"
	"github.com/cloudnative-pg/cloudnative-pg/pkg/postgres"
)

type input struct {
	// Major of PostgreSQL.
	Major int
	// User of the operating system that may connect as postgres by the socket.
	User    string
	Cluster apiv1.Cluster
	Pooler  apiv1.Pooler
}

// files prints the files of PostgreSQL and of its pooler, with new certificates, by the paths at which the operator's pods have
// them: configuration files of PostgreSQL by their names in its data folder.
func files([]string) error {
	var in input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		return err
	}
	in.Cluster.Default()
	out := map[string]string{}
	for _, add := range []func(input, map[string]string) error{serverFiles, poolerFiles} {
		if err := add(in, out); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

func serverFiles(in input, out map[string]string) error {
	spec := in.Cluster.Spec.PostgresConfiguration
	out["custom.conf"], _ = postgres.CreatePostgresqlConfFile(postgres.CreatePostgresqlConfiguration(postgres.ConfigurationInfo{
		ClusterName:                     in.Cluster.Name,
		Settings:                        postgres.CnpgConfigurationSettings,
		MajorVersion:                    in.Major,
		UserSettings:                    spec.Parameters,
		IncludingMandatory:              true,
		IncludingSharedPreloadLibraries: true,
	}))
	hba, err := postgres.CreateHBARules(spec.PgHBA, postgres.HBAOptions{DefaultAuthenticationMethod: "scram-sha-256"})
	if err != nil {
		return err
	}
	ident, err := postgres.CreateIdentRules(spec.PgIdent, in.User)
	if err != nil {
		return err
	}
	out["pg_hba.conf"], out["pg_ident.conf"] = hba, ident
	return nil
}

// One authority signs all three certificates, as the operator's does when the user brings none.
func poolerFiles(in input, out map[string]string) error {
	authority, err := certs.CreateRootCA(in.Cluster.Name, in.Cluster.Namespace)
	if err != nil {
		return err
	}
	host := in.Cluster.Name + "-rw"
	server, err := authority.CreateAndSignPair(host, certs.CertTypeServer, []string{host})
	if err != nil {
		return err
	}
	client, err := authority.CreateAndSignPair(apiv1.PGBouncerPoolerUserName, certs.CertTypeClient, nil)
	if err != nil {
		return err
	}
	out[postgres.ServerCertificateLocation] = string(server.Certificate)
	out[postgres.ServerKeyLocation] = string(server.Private)
	out[postgres.ClientCACertificateLocation] = string(authority.Certificate)

	namespace := in.Cluster.Namespace
	files, err := config.BuildConfigurationFiles(&in.Pooler, &config.Secrets{
		AuthQuery: client.GenerateCertificateSecret(namespace, "pooler"),
		ClientTLS: server.GenerateCertificateSecret(namespace, "server"),
		ClientCA:  authority.GenerateCASecret(namespace, "ca"),
		ServerCA:  authority.GenerateCASecret(namespace, "ca"),
	})
	if err != nil {
		return err
	}
	for path, content := range files {
		out[filepath.Clean(path)] = string(content)
	}
	return nil
}
