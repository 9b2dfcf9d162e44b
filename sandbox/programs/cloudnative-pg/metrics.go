package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	apiv1 "github.com/cloudnative-pg/cloudnative-pg/api/v1"
	"github.com/cloudnative-pg/cloudnative-pg/pkg/management/postgres"
	"github.com/cloudnative-pg/cloudnative-pg/pkg/management/postgres/metrics"
)

// metricsOf serves what upstream's exporter in a pod reads by its queries: of the PostgreSQL whose socket is in folder PGHOST, with port
// PGPORT and data in PGDATA. What the exporter knows without a query, such as cnpg_collector_up, it has from the pod's own server.
func metricsOf(args []string) error {
	flags := flag.NewFlagSet("metrics", flag.ExitOnError)
	port := flags.Int("port", 0, "port on 127.0.0.1")
	queries := flags.String("queries", "", "file with the ConfigMap of the queries")
	_ = flags.Parse(args)
	text, err := os.ReadFile(*queries)
	if err != nil {
		return err
	}
	var published corev1.ConfigMap
	if err := yaml.Unmarshal(text, &published); err != nil {
		return err
	}
	instance := postgres.NewInstance()
	instance.PgData = os.Getenv("PGDATA")
	if err := prepareRole(instance); err != nil {
		return err
	}
	collector := metrics.NewQueriesCollector("cnpg", instance, "postgres")
	if err := collector.ParseQueries([]byte(published.Data[apiv1.DefaultMonitoringKey])); err != nil {
		return err
	}
	registry := prometheus.NewRegistry()
	if err := registry.Register(asked{collector}); err != nil {
		return err
	}
	http.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	return http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil)
}

// prepareRole makes the exporter's role, as the operator does on the primary.
func prepareRole(instance *postgres.Instance) error {
	isPrimary, err := instance.IsPrimary()
	if err != nil || !isPrimary {
		return err
	}
	db, err := instance.GetSuperUserDB()
	if err != nil {
		return err
	}
	ctx := context.Background()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := postgres.SetupMetricsExporterRole(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

// asked runs the queries at each scrape. An error of theirs is in cnpg_last_error.
type asked struct{ *metrics.QueriesCollector }

// Describe names none: upstream describes the columns that are labels as nothing.
func (asked) Describe(chan<- *prometheus.Desc) {}

func (all asked) Collect(ch chan<- prometheus.Metric) {
	_ = all.Update()
	all.QueriesCollector.Collect(ch)
}
