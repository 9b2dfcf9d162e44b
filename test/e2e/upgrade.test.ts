import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineAlone, RecordedStack, recordings } from "../support/recorded-stack.ts";
import type { StateResource } from "../support/recorded-state.ts";
import type { PreviewStep } from "../support/stack.ts";

/**
 * What today's program does to a stack that a release brought up, and why. A change of code that means no change of the
 * platform gets no row here: it keeps what is there.
 */
const expected: Readonly<Record<string, readonly { why: string; changes: readonly string[] }[]>> = {
  "0.2.0": [
    {
      why: "Keystores and Collabora are measured, and what they need is told.",
      changes: [
        "create Deployment club-keystore/keystore-exporter",
        "create Deployment platform-keystore/keystore-exporter",
        "create Deployment team-keystore/keystore-exporter",
        "create NetworkPolicy forge/allow-keystore-exporter",
        "create PodMonitor club-keystore/keystore-exporter",
        "create PodMonitor platform-keystore/keystore-exporter",
        "create PodMonitor team-keystore/keystore-exporter",
        "create PodMonitor team/office",
        "create PrometheusRule club-keystore/keystore",
        "create PrometheusRule platform-keystore/keystore",
        "create PrometheusRule team-keystore/keystore",
        "update PrometheusRule club/cloudsuite-alerts spec.groups",
        "update PrometheusRule hub/hub-alerts spec.groups",
        "update PrometheusRule team/cloudsuite-alerts spec.groups",
      ],
    },
    {
      why: "The git store puts copies of its repositories into the bucket of the backups, and the nightly backup asks it to.",
      changes: [
        "update ConfigMap forge/forge-gitstore data",
        "update ConfigMap forge/forge-scripts data",
        "update CronJob forge/forge-backup spec.jobTemplate",
        "update Deployment forge/forge-toolbox spec.template",
        "update StatefulSet forge/forge-gitstore spec.template",
      ],
    },
    {
      why: "A suite serves as many requests at once as its memory holds, each pod has an id, and cron runs once at the start.",
      changes: [
        "create Job club/cloudsuite-configure",
        "create Job team/cloudsuite-configure",
        "delete Job club/cloudsuite-configure",
        "delete Job team/cloudsuite-configure",
        "update ConfigMap club/cloudsuite-config data",
        "update ConfigMap club/cloudsuite-scripts data",
        "update ConfigMap team/cloudsuite-config data",
        "update ConfigMap team/cloudsuite-scripts data",
        "update CronJob club/cloudsuite-cron spec.jobTemplate",
        "update CronJob team/cloudsuite-cron spec.jobTemplate",
        "update Deployment club/cloudsuite spec.template",
        "update Deployment team/cloudsuite spec.template",
      ],
    },
    {
      why: "The nightly copy of a suite's config.php leaves out the passwords of its stores.",
      changes: [
        "update CronJob club/cloudsuite-config-backup spec.jobTemplate",
        "update CronJob team/cloudsuite-config-backup spec.jobTemplate",
      ],
    },
    {
      why: "Calls and those in flight are limited by source, of IPv6 a subnet, and those of the token endpoint too.",
      changes: [
        "create Middleware hub/hub-token-in-flight",
        "create Middleware hub/hub-token-rate",
        "update Hub hub",
        "update IngressRoute hub/hub-core spec.routes",
        "update Middleware site-webhook/site-webhook-in-flight spec.inFlightReq",
        "update Middleware site-webhook/site-webhook-rate spec.rateLimit",
        "update SiteWebhook site-webhook",
      ],
    },
    {
      why: "The services have another bundle.",
      changes: [
        "update Deployment hub/hub-sign-in spec.template",
        "update Deployment site-webhook/site-webhook spec.template",
        "update Image service-image/image contextHash tags",
        "update ServiceImage service-image",
      ],
    },
    {
      why: "Only what runs the application reaches the forge's stores, and object stores are reached at their ports alone.",
      changes: [
        "create NetworkPolicy forge/allow-forge-callers",
        "create NetworkPolicy forge/allow-forge-rails",
        "delete NetworkPolicy forge/allow-forge",
        "update NetworkPolicy forge/allow-all spec.egress",
        "update NetworkPolicy forge/allow-database-instances spec.egress",
        "update NetworkPolicy forge/allow-forge-db-pooler spec.ingress",
        "update NetworkPolicy forge/allow-keystore spec.ingress",
        "update NetworkPolicy forge/ci-jobs-allow-all spec.egress",
        "update NetworkPolicy hub/allow-hub-core spec.egress",
        "update NetworkPolicy hub/allow-hub-jobservice spec.egress",
        "update NetworkPolicy hub/allow-hub-key-backup spec.egress",
        "update NetworkPolicy hub/allow-hub-registry spec.egress",
      ],
    },
  ],
  "46f063d": [
    {
      why: "Web and job pods wait by the image's own check.",
      changes: [
        "update ConfigMap forge/forge-scripts data",
        "update Deployment forge/forge-jobs spec.template",
        "update Deployment forge/forge-webservice spec.template",
      ],
    },
    {
      why: "Nobody outside is told of the platform.",
      changes: ["update ConfigMap forge/forge-settings data", "update Deployment team/office spec.template"],
    },
    {
      why: "The proxy protocol of SSH has an object of its own since Traefik 3.5.2.",
      changes: ["create ServersTransportTCP forge/forge-shell", "update IngressRouteTCP forge/forge-shell spec.routes"],
    },
    {
      why: "The hub's encryption key is copied to the bucket of the database's backups every night.",
      changes: ["create CronJob hub/hub-key-backup", "create NetworkPolicy hub/allow-hub-key-backup"],
    },
    {
      why: "No way out leads to link-local addresses, among them the cloud's metadata.",
      changes: [
        "update NetworkPolicy forge/allow-database-instances spec.egress",
        "update NetworkPolicy forge/allow-forge-runner spec.egress",
        "update NetworkPolicy forge/allow-forge-runner-registration spec.egress",
        "update NetworkPolicy hub/allow-hub-jobservice spec.egress",
        "update NetworkPolicy hub/allow-hub-registry spec.egress",
      ],
    },
    {
      why: "Of the forge, the Rails programs alone reach database and keystore; SSH server and runner call nobody outside.",
      changes: [
        "create NetworkPolicy forge/allow-forge-callers",
        "create NetworkPolicy forge/allow-forge-rails",
        "delete NetworkPolicy forge/allow-forge",
        "update NetworkPolicy forge/allow-forge-db-pooler spec.egress spec.ingress",
        "update NetworkPolicy forge/allow-keystore spec.ingress",
      ],
    },
    {
      why: "Names come from the cache on each node, too.",
      changes: ["update NetworkPolicy forge/allow-all spec.egress"],
    },
    {
      why: "CI jobs reach what they need, and nothing else inside.",
      changes: ["create NetworkPolicy forge/ci-jobs-allow-all", "create NetworkPolicy forge/ci-jobs-default-deny"],
    },
    {
      why: "Calls count by their source, of IPv6 a subnet, and the hub's token endpoint has limits.",
      changes: [
        "create Middleware hub/hub-token-in-flight",
        "create Middleware hub/hub-token-rate",
        "update Middleware site-webhook/site-webhook-in-flight spec.inFlightReq",
        "update Middleware site-webhook/site-webhook-rate spec.rateLimit",
      ],
    },
    {
      why: "The git store puts copies of its repositories into the bucket of the backups.",
      changes: ["update ConfigMap forge/forge-gitstore data"],
    },
    {
      why: "SSH takes 100 sessions.",
      changes: ["update ConfigMap forge/forge-shell data"],
    },
    {
      why: "Go programs offer no post-quantum key exchange: their first TLS message fits one packet.",
      changes: [
        "update Deployment forge/forge-pages spec.template",
        "update Deployment forge/forge-shell spec.template",
        "update StatefulSet forge/forge-gitstore spec.template",
      ],
    },
    {
      why: "Internal APIs are reached from inside only.",
      changes: [
        "update IngressRoute forge/forge-webservice spec.routes",
        "update IngressRoute hub/hub-core spec.routes",
      ],
    },
    {
      why: "A pooler of one pod, too, is waited for by its PodDisruptionBudget.",
      changes: [
        "create PodDisruptionBudget club-db/cloudsuite-db-pooler",
        "create PodDisruptionBudget platform-db/forge-db-pooler",
        "create PodDisruptionBudget team-db/cloudsuite-db-pooler",
      ],
    },
    {
      why: "Every container of a pooler's pods has requests and limits, the operator's own too.",
      changes: [
        "update Pooler club-db/cloudsuite-db-pooler spec.template",
        "update Pooler platform-db/forge-db-pooler spec.template",
        "update Pooler team-db/cloudsuite-db-pooler spec.template",
      ],
    },
    {
      why: "The runner is the newest one of the forge's minor.",
      changes: ["update Deployment forge/forge-runner spec.template"],
    },
    {
      why: "Buckets of users' files, forge objects and hub images keep former versions for 30 days.",
      changes: [
        "create BucketVersioning club-storage/data-club-dev1",
        "create BucketVersioning platform-storage/artifacts-e2e1-platform",
        "create BucketVersioning platform-storage/external-diffs-e2e1-platform",
        "create BucketVersioning platform-storage/lfs-e2e1-platform",
        "create BucketVersioning platform-storage/packages-e2e1-platform",
        "create BucketVersioning platform-storage/pages-e2e1-platform",
        "create BucketVersioning platform-storage/registry-e2e1-platform",
        "create BucketVersioning platform-storage/secure-files-e2e1-platform",
        "create BucketVersioning platform-storage/terraform-state-e2e1-platform",
        "create BucketVersioning platform-storage/uploads-e2e1-platform",
        "create BucketVersioning team-storage/data-team-dev1",
        "update Bucket club-storage/data-club-dev1 lifecycleRules",
        "update Bucket platform-storage/artifacts-e2e1-platform lifecycleRules",
        "update Bucket platform-storage/external-diffs-e2e1-platform lifecycleRules",
        "update Bucket platform-storage/lfs-e2e1-platform lifecycleRules",
        "update Bucket platform-storage/packages-e2e1-platform lifecycleRules",
        "update Bucket platform-storage/pages-e2e1-platform lifecycleRules",
        "update Bucket platform-storage/registry-e2e1-platform lifecycleRules",
        "update Bucket platform-storage/secure-files-e2e1-platform lifecycleRules",
        "update Bucket platform-storage/terraform-state-e2e1-platform lifecycleRules",
        "update Bucket platform-storage/uploads-e2e1-platform lifecycleRules",
        "update Bucket team-storage/data-team-dev1 lifecycleRules",
      ],
    },
    {
      why: "Folders of the program have no way in.",
      changes: ["update IngressRoute club/cloudsuite spec.routes", "update IngressRoute team/cloudsuite spec.routes"],
    },
    {
      why: "Clients of calendars and contacts keep their query.",
      changes: [
        "update Middleware club/cloudsuite-dav-redirect spec.redirectRegex",
        "update Middleware team/cloudsuite-dav-redirect spec.redirectRegex",
      ],
    },
    {
      why: "The office route lets through what clients need, and nothing of the administration.",
      changes: ["update IngressRoute team/office spec.routes"],
    },
    {
      why: "The shared database holds the processes of its connections at their peak.",
      changes: ["update Cluster platform-db/forge-db spec.postgresql spec.resources", "update Database platform-db"],
    },
    {
      why: "The hub's settings are applied step by step, and the registry's parts follow from its memory.",
      changes: [
        "create Job hub/hub-settings",
        "delete Job hub/hub-settings",
        "update ConfigMap hub/hub-registry data",
        "update ConfigMap hub/hub-scripts data",
        "update ConfigMap hub/hub-settings data",
        "update Deployment hub/hub-registry spec.template",
        "update Hub hub",
      ],
    },
    {
      why: "The program that copies a suite's configuration is one that gets fixes.",
      changes: [
        "update CronJob club/cloudsuite-config-backup spec.jobTemplate",
        "update CronJob team/cloudsuite-config-backup spec.jobTemplate",
      ],
    },
    {
      why: "The keystore's database 0 holds caches alone, and /-/health asks what the forge needs.",
      changes: [
        "create Job forge/forge-application-hub",
        "create Job forge/forge-runner-registration",
        "create Job forge/forge-settings",
        "delete Job forge/forge-application-hub",
        "delete Job forge/forge-runner-registration",
        "delete Job forge/forge-settings",
        "replace Job forge/forge-migrations-18-11-11 spec.template",
        "replace Job forge/forge-post-migrations-18-11-11 spec.template",
        "update ConfigMap forge/forge-jobs data",
        "update ConfigMap forge/forge-migrations data",
        "update ConfigMap forge/forge-toolbox data",
        "update ConfigMap forge/forge-webservice data",
        "update ConfigMap forge/forge-webservice-proxy data",
        "update CronJob forge/forge-backup spec.jobTemplate",
        "update Deployment forge/forge-toolbox spec.template",
      ],
    },
    {
      why: "Metrics are recorded by the specification's names.",
      changes: [
        "create PrometheusRule club-db/cloudsuite-db",
        "create PrometheusRule forge/forge-metrics",
        "create PrometheusRule platform-db/forge-db",
        "create PrometheusRule team-db/cloudsuite-db",
      ],
    },
    {
      why: "Hub, suites, webhook and whole namespaces have alerts, too.",
      changes: [
        "create PrometheusRule club/cloudsuite-alerts",
        "create PrometheusRule hub/hub-alerts",
        "create PrometheusRule platform/stores-alerts",
        "create PrometheusRule site-webhook/site-webhook-alerts",
        "create PrometheusRule team/cloudsuite-alerts",
      ],
    },
    {
      why: "Keystores and Collabora are measured, and keystores have alerts.",
      changes: [
        ...["club", "platform", "team"].flatMap((stack) => [
          `create Deployment ${stack}-keystore/keystore-exporter`,
          `create PodMonitor ${stack}-keystore/keystore-exporter`,
          `create PrometheusRule ${stack}-keystore/keystore`,
        ]),
        "create NetworkPolicy forge/allow-keystore-exporter",
        "create PodMonitor team/office",
      ],
    },
    {
      why: "A suite's pod asks the database which version it has.",
      changes: ["update ConfigMap club/cloudsuite-scripts data", "update ConfigMap team/cloudsuite-scripts data"],
    },
    {
      why: "A Secret outlives its ExternalSecret.",
      changes: [
        "update ExternalSecret club/cloudsuite-s3-credentials spec.target",
        "update ExternalSecret platform/forge-s3-credentials spec.target",
        "update ExternalSecret team/cloudsuite-s3-credentials spec.target",
      ],
    },
    {
      why: "A suite trusts the proxies of the settings.",
      changes: [
        "create Job club/cloudsuite-configure",
        "create Job team/cloudsuite-configure",
        "delete Job club/cloudsuite-configure",
        "delete Job team/cloudsuite-configure",
        "update ConfigMap club/cloudsuite-config data",
        "update ConfigMap team/cloudsuite-config data",
        "update CronJob club/cloudsuite-cron spec.jobTemplate",
        "update CronJob team/cloudsuite-cron spec.jobTemplate",
        "update Deployment club/cloudsuite spec.template",
        "update Deployment team/cloudsuite spec.template",
      ],
    },
    {
      why: "A component records its version, named or not, and of the platform's block what a change is compared with.",
      changes: [
        "update CloudSuite club",
        "update CloudSuite team",
        "update Database club-db",
        "update Database team-db",
        "update Forge forge",
        "update Keystore club-keystore",
        "update Keystore platform-keystore",
        "update Keystore team-keystore",
        "update ObjectStorage club-storage",
        "update ObjectStorage platform-storage",
        "update ObjectStorage team-storage",
        "update Stores platform",
      ],
    },
    {
      why: "The hub takes the forge's access tokens at registry login.",
      changes: [
        "create Deployment hub/hub-sign-in",
        "create NetworkPolicy hub/allow-hub-forge",
        "create NetworkPolicy hub/allow-hub-sign-in",
        "create PodMonitor hub/hub-sign-in",
        "create Service hub/hub-sign-in",
        "update NetworkPolicy hub/allow-hub-core spec.egress spec.ingress",
      ],
    },
    {
      why: "The webhook's image has the hub's second service too, and is a part of the stack of its own, which takes over the one that is there.",
      changes: [
        "create ServiceImage service-image",
        "update Deployment site-webhook/site-webhook spec.template",
        "update Image service-image/image buildArgs contextHash tags",
        "update SiteWebhook site-webhook",
      ],
    },
  ],
};

/** Versions that a release deployed where none was named. A stack that stays on them names them before it takes today's program. */
const defaultsOf: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  "46f063d": { "hearth:hub": { version: "2.14.3" }, "hearth:keystore": { version: "8.1.4-alpine" } },
};

/** Of these, no update leads to today's default at once: the preview refuses, and prints the lines that keep them. */
const heldBack: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  "46f063d": { "hearth:forge": { version: "18.11.11" }, "hearth:database": { version: "16" } },
};

/** What changes beside that in a stack that goes with the defaults: other images, and the Jobs of their first start. @default nothing */
const withDefaults: Readonly<Record<string, readonly string[]>> = {
  "46f063d": [
    "create Backup hub/forge-db-hub-2-15-2",
    "create Job hub/hub-migrations-2-15-2",
    "delete Backup hub/forge-db-hub-2-14-3",
    "delete Job hub/hub-migrations-2-14-3",
    "update Deployment hub/hub-core spec.template",
    "update Deployment hub/hub-jobservice spec.template",
    "update Deployment hub/hub-portal spec.template",
    "update StatefulSet platform-keystore/keystore spec.template",
  ],
};

/** `update Deployment forge/forge-jobs spec.template`: with the first keys of what changes, without the hash of a Job's name. */
function shown({ op, urn, detailedDiff }: PreviewStep): string {
  const [types = "", ...name] = urn.split("::").slice(2);
  const paths = Object.keys(detailedDiff ?? {}).map((path) => /^\w+(\.\w+)?/.exec(path)?.[0]);
  return [`${op} ${types.split(":").at(-1)} ${name.join("::").replace(/-[0-9a-f]{8}$/, "")}`, ...new Set(paths)].join(
    " ",
  );
}

const bytesType = "random:index/randomBytes:RandomBytes";

const clear = (value: unknown) => JSON.parse((value as { plaintext: string }).plaintext);

/** Name and value of a resource; of random bytes, as of the password in their place, the hexadecimal digits. */
function namedValue({ urn, outputs }: StateResource): [string, unknown] {
  const value = outputs?.hex ?? outputs?.result;
  return [urn.split("::").at(-1) ?? "", value && clear(value)];
}

describe.each(readdirSync(recordings))("a stack that %s brought up", (release) => {
  const folder = join(recordings, release);
  let stack: RecordedStack;

  beforeAll(async () => {
    stack = new RecordedStack(folder, await engineAlone());
    await stack.replay(readFileSync(join(folder, "state.jsonl"), "utf8"));
  });
  afterAll(() => stack.remove());

  const changes = async () => {
    const { steps, errors } = await stack.preview();
    expect(errors).toEqual([]);
    return steps.filter(({ op }) => op !== "same").map(shown);
  };
  const always = (expected[release] ?? []).flatMap((row) => row.changes);

  const keep = (versions: Readonly<Record<string, object>> | undefined) =>
    stack.editSettings((settings) => {
      for (const [key, named] of Object.entries(versions ?? {}))
        settings[key] = { ...(settings[key] as object | undefined), ...named };
    });

  // What only an old release left behind.
  if (heldBack[release]) {
    it("is not upgraded unasked: the refusal has the lines that keep what runs", async () => {
      const { steps, errors } = await stack.preview();
      expect(steps.filter(({ op }) => op !== "same")).toEqual([]);
      expect(errors.join()).toContain("Write `hearth:forge.version: 18.11.11`, which keeps it.");
      expect(errors.join()).toContain('Write `hearth:database.version: "16"`, which keeps it.');
      keep(heldBack[release]);
    });

    it("is refused while values stand in its state in plain text, and heal encrypts the same values", async () => {
      const secrets = async () => new Map((await stack.state("--show-secrets")).deployment.resources.map(namedValue));
      const before = await secrets();
      // As the official provider records them; the stand-in of that time gave them no id.
      const shown = await stack.state("--show-secrets");
      const resources = shown.deployment.resources.map((each) =>
        each.type === bytesType ? { ...each, id: String(clear(each.outputs?.base64)) } : each,
      );
      await stack.take({ ...shown, deployment: { ...shown.deployment, resources } });
      const ids = resources.filter(({ type }) => type === bytesType).map(({ id }) => String(id));
      expect(JSON.stringify(await stack.state())).toContain(ids[0]);

      const { steps, errors } = await stack.preview();
      expect(errors.join()).toContain(`holds ${ids.length} secret values in plain text`);
      expect(errors.join()).toContain("./hearth heal --stack dev");
      expect(steps.filter(({ op }) => op !== "same")).toEqual([]);

      expect(await stack.heal()).toMatchObject({ status: 0, said: expect.stringContaining("rewrite RandomBytes") });
      expect((await stack.heal()).said).toContain("Nothing to heal");
      const exported = JSON.stringify(await stack.state());
      expect(ids.filter((id) => exported.includes(id))).toEqual([]);
      expect(await secrets()).toEqual(before);
    }, 120_000);
  }

  it("goes with today's other defaults without a new object that holds data", async () => {
    const more = (await changes()).filter((change) => !always.includes(change));
    expect(more.sort()).toEqual(withDefaults[release] ?? []);
  });

  it("is changed by today's program as the table says, and in nothing else, on the versions it has", async () => {
    keep(defaultsOf[release]);
    expect((await changes()).sort()).toEqual(always.sort());
  });
});
