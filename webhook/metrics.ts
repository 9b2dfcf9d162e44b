/** Labels in the order of the metric's label names. */
type LabelValues = readonly string[];

interface Metric {
  lines(): Iterable<string>;
}

function labelText(names: readonly string[], values: LabelValues): string {
  if (names.length === 0) return "";
  // Values are ours alone (routes, methods, outcomes, codes), so none needs escaping.
  return `{${names.map((name, index) => `${name}="${values[index] ?? ""}"`).join(",")}}`;
}

/** A count that only grows, by labels. What is known to come is counted from 0 on: Prometheus sees no increase in what begins with 1. */
export class Counter implements Metric {
  readonly #name: string;
  readonly #labels: readonly string[];
  readonly #counts = new Map<string, number>();

  constructor(name: string, labels: readonly string[], known: readonly LabelValues[]) {
    this.#name = name;
    this.#labels = labels;
    for (const values of known) this.#counts.set(values.join("\0"), 0);
  }

  add(...values: string[]): void {
    const key = values.length === 1 ? (values[0] ?? "") : values.join("\0");
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  *lines(): Iterable<string> {
    for (const [key, count] of this.#counts) {
      yield `${this.#name}${labelText(this.#labels, key.split("\0"))} ${count}`;
    }
  }
}

/** A number asked for when it is scraped. */
class Gauge implements Metric {
  readonly #name: string;
  readonly #read: () => number;

  constructor(name: string, read: () => number) {
    this.#name = name;
    this.#read = read;
  }

  *lines(): Iterable<string> {
    yield `${this.#name} ${this.#read()}`;
  }
}

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const;

/** Durations in seconds, in the buckets Prometheus' clients have by default up to 5 s. */
export class Histogram implements Metric {
  readonly #name: string;
  readonly #buckets = new Array<number>(bounds.length + 1).fill(0);
  #sum = 0;

  constructor(name: string) {
    this.#name = name;
  }

  observe(seconds: number): void {
    let index = 0;
    while (index < bounds.length && seconds > (bounds[index] ?? 0)) index += 1;
    this.#buckets[index] = (this.#buckets[index] ?? 0) + 1;
    this.#sum += seconds;
  }

  *lines(): Iterable<string> {
    let total = 0;
    for (const [index, count] of this.#buckets.entries()) {
      total += count;
      yield `${this.#name}_bucket{le="${bounds[index] ?? "+Inf"}"} ${total}`;
    }
    yield `${this.#name}_sum ${this.#sum}`;
    yield `${this.#name}_count ${total}`;
  }
}

/** The service's metrics in Prometheus' text format. No label holds a site: anybody may send any name. */
export class Metrics {
  readonly #all: { name: string; type: string; help: string; metric: Metric }[] = [];

  /** @param known the labels' values that are counted from 0 on, before the first comes */
  counter(
    name: string,
    help: string,
    labels: readonly string[],
    { known = [] }: { readonly known?: readonly LabelValues[] } = {},
  ): Counter {
    return this.#add(name, "counter", help, new Counter(name, labels, known));
  }

  histogram(name: string, help: string): Histogram {
    return this.#add(name, "histogram", help, new Histogram(name));
  }

  /** @param type - `counter` for what the system counts itself */
  gauge(name: string, help: string, read: () => number, type: "gauge" | "counter" = "gauge"): void {
    this.#add(name, type, help, new Gauge(name, read));
  }

  /** All metrics, as `GET /metrics` answers them. */
  text(): string {
    const lines = this.#all.flatMap(({ name, type, help, metric }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...metric.lines(),
    ]);
    return `${lines.join("\n")}\n`;
  }

  #add<M extends Metric>(name: string, type: string, help: string, metric: M): M {
    this.#all.push({ name, type, help, metric });
    return metric;
  }
}
