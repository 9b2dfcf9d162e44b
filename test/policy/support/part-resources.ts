import { object, type PolicyFixtures } from "./fixtures.ts";
import { amounts, ofSuite, suite, suiteContainer, suiteWorkload } from "./suites.ts";

interface Row {
  readonly cpu: string;
  readonly memory: string;
  readonly cpuLimit: string;
  readonly memoryLimit: string;
}

/** Fixtures of what is recommended for a part of a suite beside its web pods: `row`, and each amount one step `below`. */
export function partResourceFixtures(part: "office" | "whiteboard", row: Row, below: Row): PolicyFixtures {
  const right = amounts(row.cpu, row.memory, row.cpuLimit, row.memoryLimit);
  const over = (path: string) => ({
    over: {
      [`${path}.requests.cpu`]: [below.cpu],
      [`${path}.requests.memory`]: [below.memory],
      [`${path}.limits.cpu`]: [below.cpuLimit, undefined],
      [`${path}.limits.memory`]: [below.memoryLimit, undefined],
    },
  });
  const args = (resources: object, options = {}) => suite({ [part]: { resources } }, options);
  const workload = (resources: object, options = {}) => suiteWorkload("Deployment", part, { resources }, options);

  return {
    good: {
      "as recommended": workload(right, over(`${suiteContainer}.resources`)),
      "as recommended, of a suite": args(right, over(`${part}.resources`)),
      "more than recommended": args(amounts("2000m", "4Gi", "2000m", "4Gi"), over(`${part}.resources`)),
      "limits alone, which are the requests then": workload(
        { limits: right.limits },
        over(`${suiteContainer}.resources`),
      ),
      "another workload of that name": object(
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: part, namespace: "other" },
          spec: { template: { spec: { containers: [{ name: part }] } } },
        },
        { over: { metadata: [ofSuite(part)] } },
      ),
      "a suite without": suite({}, { over: { [part]: [{ resources: {} }] } }),
    },
    bad: {
      "less CPU": workload(amounts(below.cpu, row.memory, row.cpuLimit, row.memoryLimit)),
      "a lower limit of memory": workload(amounts(row.cpu, row.memory, row.cpuLimit, below.memoryLimit)),
      "no limits": workload({ requests: right.requests }),
      "less memory, of a suite": args(amounts(row.cpu, below.memory, row.cpuLimit, row.memoryLimit)),
      "nothing, of a suite": args({}),
    },
  };
}
