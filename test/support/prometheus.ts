import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PrometheusRule } from "@hearth-platform/hearth/kubernetes/custom-resources/prometheus-rule";
import { stackPlans } from "@hearth-platform/stack/parts";
import { execa } from "execa";
import { expect, vi } from "vitest";
import { stringify } from "yaml";
import { freePort } from "./free-ports.ts";
import { checkFiles, committedStack } from "./stack-files.ts";
import { systemProgram } from "./system-programs.ts";

/** What it reads, with the labels that the operator gives to what a monitor selects. */
export interface ScrapeTarget {
  /** `namespace/name` of the monitor. */
  readonly job: string;
  /** Host and port. */
  readonly address: string;
  readonly labels: Readonly<Record<string, string>>;
}

const patience = { timeout: 100_000, interval: 250 };

/**
 * A real Prometheus with rules of stack `prod`, on 127.0.0.1. Rules wait for nothing, and look back half a minute instead of minutes, so that
 * what is healed shows; how long they do both is judged by `promtool` with the cases of each alert.
 */
export class Prometheus implements AsyncDisposable {
  readonly #folder: string;
  readonly #address: string;
  readonly #process: ReturnType<typeof execa>;
  /** Alerts on what these tests don't run. */
  #others: readonly string[] = [];

  private constructor(folder: string, address: string, process: ReturnType<typeof execa>) {
    this.#folder = folder;
    this.#address = address;
    this.#process = process;
  }

  /** @param rules `namespace/name` of PrometheusRules @param targets read each second */
  static async start(rules: readonly string[], targets: readonly ScrapeTarget[]): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), "hearth-prometheus-"));
    writeFileSync(join(folder, "rules.yaml"), stringify({ groups: rules.flatMap(groupsOf) }));
    const configuration = {
      global: { scrape_interval: "1s", evaluation_interval: "1s" },
      rule_files: ["rules.yaml"],
      scrape_configs: [...Map.groupBy(targets, ({ job }) => job)].map(([job, own]) => ({
        job_name: job,
        static_configs: own.map(({ address, labels }) => ({ targets: [address], labels })),
      })),
    };
    writeFileSync(join(folder, "prometheus.yaml"), stringify(configuration));
    const web = `127.0.0.1:${await freePort()}`;
    const process = execa(
      systemProgram("prometheus"),
      [
        `--config.file=${join(folder, "prometheus.yaml")}`,
        `--storage.tsdb.path=${join(folder, "data")}`,
        `--web.listen-address=${web}`,
      ],
      { reject: false, stdio: "ignore" },
    );
    return new Prometheus(folder, `http://${web}`, process);
  }

  /** Waits until a query gives this value, alone. */
  async sees(query: string, value: string): Promise<void> {
    await vi.waitFor(async () => {
      const { result } = await this.#asked<{ result: { value: [number, string] }[] }>(
        `/api/v1/query?query=${encodeURIComponent(query)}`,
      );
      expect(result.map((each) => each.value[1])).toEqual([value]);
    }, patience);
  }

  /** Waits until none of these fires, and passes over all others that do: they are about what is not run. @param own names */
  async passOverAllBut(own: RegExp): Promise<void> {
    await vi.waitFor(async () => {
      this.#others = await this.#firing();
      expect(this.#others.filter((name) => own.test(name))).toEqual([]);
    }, patience);
  }

  /** Waits until these alerts fire, and no other. */
  async fires(...names: string[]): Promise<void> {
    await vi.waitFor(async () => expect(await this.#firing()).toEqual([...this.#others, ...names].sort()), patience);
  }

  async #firing(): Promise<string[]> {
    const { alerts } = await this.#asked<{ alerts: { labels: { alertname: string } }[] }>("/api/v1/alerts");
    return [...new Set(alerts.map(({ labels }) => labels.alertname))].sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill();
    await this.#process;
    rmSync(this.#folder, { recursive: true });
  }

  async #asked<Data>(path: string): Promise<Data> {
    const answer = await fetch(`${this.#address}${path}`);
    return ((await answer.json()) as { data: Data }).data;
  }
}

function groupsOf(rule: string) {
  const { stack } = checkFiles(committedStack("prod"));
  const planned = stack ? stackPlans(stack).flatMap((plan) => plan.objects.map(({ object }) => object)) : [];
  const found = planned.find(
    ({ kind, metadata: { name, namespace } }) => kind === "PrometheusRule" && `${namespace}/${name}` === rule,
  ) as PrometheusRule | undefined;
  if (!found) throw new Error(`Stack prod has no PrometheusRule ${rule}.`);
  return (found.spec.groups ?? []).map((group) => ({
    ...group,
    rules: group.rules?.map((each) =>
      "alert" in each ? { ...each, expr: String(each.expr).replaceAll(/\[\d+m\]/g, "[30s]"), for: "0s" } : each,
    ),
  }));
}
