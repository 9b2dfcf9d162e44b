import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { configKeys } from "../../tools/upstream/config-keys.ts";
import { isNamed, type RenderedObject, workloadKeys } from "../../tools/upstream/workload-keys.ts";

/** What a workload's image gets at its start, as the tables name it. */

const keysOf = (pod: string, ...others: string[]) => {
  const workload = { kind: "Deployment", metadata: { name: "web" }, spec: { template: { spec: parse(pod) } } };
  const objects = [workload, ...others.map((other) => parse(other))] as RenderedObject[];
  return Object.fromEntries(workloadKeys(objects, "Deployment web"));
};

describe("keys of a workload", () => {
  test("are its command, arguments, variables, probes and what stops it, by container", () => {
    const pod = `
      terminationGracePeriodSeconds: 30
      initContainers: [{name: first, command: [sh], args: [-c, "true"]}]
      containers:
        - name: main
          env: [{name: A, value: "1"}, {name: B, valueFrom: {secretKeyRef: {name: s, key: k}}}, {name: C, valueFrom: {fieldRef: {fieldPath: status.podIP}}}]
          ports: [{name: http, containerPort: 8080}]
          livenessProbe: {httpGet: {path: /live, port: http}, initialDelaySeconds: 5}
          readinessProbe: {exec: {command: [ready]}, failureThreshold: 2, periodSeconds: 5, timeoutSeconds: 3}
          startupProbe: {grpc: {port: 9}}
          lifecycle: {preStop: {sleep: {seconds: 5}}}`;
    expect(keysOf(pod)).toEqual({
      graceSeconds: "30",
      "command first": '["sh"]',
      "args first": '["-c","true"]',
      "env main A": "1",
      "env main B": "(secret)",
      "env main C": "(field status.podIP)",
      "probe main liveness": "GET /live on 8080; after 5s, every 10s, timeout 1s, 3 failures",
      "probe main readiness": "runs ready; every 5s, timeout 3s, 2 failures",
      "probe main startup": "gRPC on 9; every 10s, timeout 1s, 3 failures",
      "preStop main": '{"sleep":{"seconds":5}}',
    });
  });

  test("are those of ConfigMaps and Secrets that it imports, but no names that are no variable's", () => {
    const pod = "containers: [{name: main, envFrom: [{configMapRef: {name: c}}, {secretRef: {name: s}}]}]";
    const configMap = "{kind: ConfigMap, metadata: {name: c}, data: {A: '1', app.conf: x}}";
    expect(keysOf(pod, configMap, "{kind: Secret, metadata: {name: s}, data: {B: eA==, tls.key: eA==}}")).toEqual({
      "env main A": "1",
      "env main B": "(secret)",
    });
  });

  test("are its mounts, the files of Secrets in them, and every key of a mounted file once", () => {
    const pod = `
      containers:
        - {name: one, volumeMounts: [{name: all, mountPath: /etc/all}, {name: tmp, mountPath: /tmp}]}
        - {name: two, volumeMounts: [{name: all, mountPath: /etc/two}, {name: files, mountPath: /etc/app/config.yml, subPath: config.yml}]}
      volumes:
        - {name: all, projected: {sources: [{secret: {name: s, items: [{key: k, path: token}]}}, {configMap: {name: c}}]}}
        - {name: files, configMap: {name: d}}
        - {name: tmp, emptyDir: {medium: Memory}}`;
    const files = [
      "{kind: ConfigMap, metadata: {name: c}, data: {a.yml.erb: 'a: <%= 1 %>'}}",
      "{kind: ConfigMap, metadata: {name: d}, data: {config.yml: 'b: 2', other.yml: 'c: 3'}}",
    ];
    expect(keysOf(pod, ...files)).toEqual({
      "mount one /etc/all": "projected",
      "file one /etc/all/token": "secret",
      "mount one /tmp": "emptyDir Memory",
      "mount two /etc/two": "projected",
      "file two /etc/two/token": "secret",
      "mount two /etc/app/config.yml": "configMap config.yml",
      "config a.yml a": "(computed)",
      "config app/config.yml b": "2",
    });
  });

  test("are of the workload that the name says, a Job's by where it begins", () => {
    const job = (name: string) => ({ kind: "Job", metadata: { name } });
    expect(isNamed(job("forge-migrations-18-11-11"), "Job forge-migrations-")).toBe(true);
    expect(isNamed(job("forge-migrations-49c4013"), "Job forge-migrations-")).toBe(true);
    expect(isNamed(job("forge-migrations-settings"), "Job forge-migrations-")).toBe(false);
    expect(() => workloadKeys([], "Deployment web")).toThrow("There is no Deployment web in the render.");
  });
});

test.each<[file: string, text: string, keys: Record<string, string>]>([
  [
    "a.yml",
    "a: {b: [1, 2], c: [{d: x}], e: null, f: {}}",
    { "a.b": "[1,2]", "a.c[0].d": "x", "a.e": "null", "a.f": "{}" },
  ],
  ["a.toml.tpl", 'x = 1\n[[y]]\nz = {% file.Read "/s/t" | data.ToJSON %}', { x: "1", "y[0].z": "(file /s/t)" }],
  ["a.yml.erb", "<% if File.exist?('/s') %>\na: <%= File.read('/s/t').strip %>\n<% end %>", { a: "(file /s/t)" }],
  ["a.yml.tpl", '{% if true %}\na: \'{% env.Getenv "B" "1" %}\'\n{% end %}', { a: "(variable B)" }],
  [
    "config.tpl",
    "# none\nlisten-http=:9090\nredirect-http=false",
    { "listen-http": ":9090", "redirect-http": "false" },
  ],
  ["app.conf", 'a = b\n\n[prod]\nport = "1"', { a: "b", "prod.port": "1" }],
  [
    "nginx.conf",
    "events { n 1; }\n# none\nserver { location / { add_header A b; add_header C d; } listen 1; listen 2; }",
    {
      "events.n": "1",
      "server.location /.add_header A": "b",
      "server.location /.add_header C": "d",
      "server.listen": "1",
      "server.listen[1]": "2",
    },
  ],
  ["smtp_settings.rb", "A.b = {\n  address: 'mail',\n  port: 25,\n}", { address: "mail", port: "25" }],
  [
    "a.config.php",
    "<?php\n$CONFIG = [\n  'a' => [\n    'x',\n    'b' => 1,\n  ],\n  'c' => 'd',\n];",
    { "a.0": "x", "a.b": "1", c: "d" },
  ],
  ["start.sh", "#!/bin/sh\ntrue", { "": "(script)" }],
])("the keys of a file %s are those that its program reads", (file, text, keys) => {
  expect(Object.fromEntries(configKeys(file, text))).toEqual(keys);
});
