import { limits } from "../catalogue/limits.ts";
import type { Known } from "../core/known.ts";
import { Profile } from "../core/platform-args.ts";
import { error, type Problem, shown, warning } from "../core/problems.ts";
import { isSchedule } from "../core/schedule.ts";
import { bytes, dnsLabel, endpointUrl, fixedSet, hostName, namespaceName } from "../core/value-rules.ts";
import { parseVersion } from "../core/versions.ts";
import { resourceProblems } from "../kubernetes/resource-rules.ts";
import { regionProblems } from "../stores/object-storage/rules.ts";
import { administrationProblems } from "./administration-rules.ts";
import { type ForgeArgs, ForgeEdition } from "./args.ts";
import { partProblems, toolVersion, whole } from "./part-rules.ts";
import { Awaited, awaitedMigrations } from "./start-up.ts";
import { defaultVersion, forgeMajor, forgeVersion, oldestDatabase, shellVersion } from "./versions.ts";

type Forge = Known<ForgeArgs>;
type Rule = (forge: Forge) => readonly Problem[];

/** Everything wrong with a forge's arguments, before anything is created. */
export function forgeProblems(forge: Forge): Problem[] {
  return rules.flatMap((rule) => rule(forge));
}

const rules: readonly Rule[] = [
  ({ namespace }) => namespaceName("namespace", namespace),
  ({ domain }) => hostName("domain", domain),
  version,
  database,
  ({ edition }) => fixedSet("edition", edition, Object.values(ForgeEdition)),
  ({ objectStore }) => endpointUrl("objectStore.endpoint", objectStore?.endpoint),
  ({ objectStore }) => regionProblems("objectStore.region", objectStore?.endpoint, objectStore?.region),
  ({ bucketSuffix }) => dnsLabel("bucketSuffix", bucketSuffix),
  ({ repositorySize }) => bytes("repositorySize", repositorySize),
  ({ backup }) => bytes("backup.scratchSize", backup?.scratchSize),
  backup,
  partProblems,
  replicas,
  applications,
  ({ administration }) => administrationProblems(administration),
  ({ resources }) =>
    Object.entries(resources ?? {}).flatMap(([part, spec]) => resourceProblems(`resources.${part}`, spec)),
  ({ pages }) => (pages?.resources ? resourceProblems("pages.resources", pages.resources) : []),
  ({ runner }) => (runner?.jobResources ? resourceProblems("runner.jobResources", runner.jobResources) : []),
];

function version(forge: Forge): Problem[] {
  const found = forgeVersion(forge);
  const numbers = parseVersion(found);
  // A tag's `v` is the images' affair.
  if (numbers?.length !== 3 || !/^[\d.]+$/.test(found))
    return [
      error(
        "forge-version",
        "version",
        `${shown(found)} is not a version of the forge.`,
        `Write it like ${defaultVersion}.`,
      ),
    ];
  const [major = 0] = numbers;
  if (major > forgeMajor)
    return [
      error(
        "forge-major",
        "version",
        `Forge ${found} needs PostgreSQL 17, but the platform's databases are ${limits.databaseMajor.min} to ${limits.databaseMajor.max}.`,
        `Take the latest ${forgeMajor}.`,
      ),
    ];
  if (major < forgeMajor)
    return [
      error(
        "forge-major",
        "version",
        `Forge ${found} is older than ${forgeMajor}, whose configuration this is.`,
        `Take a version of ${forgeMajor}.`,
      ),
    ];
  if (shellVersion(forge) !== undefined)
    return [...startUp(forge), ...toolVersion("shellVersion", forge.shellVersion, "14.45.3")];
  return [
    ...startUp(forge),
    error(
      "shell-version",
      "shellVersion",
      `The version of the SSH server that belongs to forge ${found} is not known here.`,
      "Write the content of the file GITLAB_SHELL_VERSION in the forge's sources at that version, e.g. 14.45.3.",
    ),
  ];
}

/** Without downtime the last migrations run after the new pods; images that wait for those never start. */
function startUp(forge: Forge): Problem[] {
  if (forge.downtime || awaitedMigrations(forge) === Awaited.regularMigrations) return [];
  const found = forgeVersion(forge);
  return [
    error(
      "forge-start",
      "version",
      `Web and job pods of forge ${found} wait for all migrations, and without downtime the last ones run after those pods.`,
      "Set `downtime: true`, which runs all of them first, or take 18.5 or later.",
    ),
  ];
}

function database(forge: Forge): Problem[] {
  const { databaseVersion } = forge;
  const [major] = parseVersion(databaseVersion ?? "") ?? [];
  if (databaseVersion === undefined) return [];
  if (major !== undefined && major > limits.databaseMajor.max)
    return [
      error(
        "database-major",
        "databaseVersion",
        `PostgreSQL ${databaseVersion} is newer than the platform's databases, which are ${limits.databaseMajor.min} to ${limits.databaseMajor.max}.`,
        `Write ${limits.databaseMajor.max}.`,
      ),
    ];
  if (major !== undefined && major >= oldestDatabase) return [];
  return [
    error(
      "database-major",
      "databaseVersion",
      `Forge ${forgeVersion(forge)} needs PostgreSQL ${oldestDatabase}, and the database is ${databaseVersion}.`,
      `Write ${oldestDatabase}; an existing database is upgraded in place by its own version setting first.`,
    ),
  ];
}

function backup({ backup: settings }: Forge): Problem[] {
  const { schedule, keep } = settings ?? {};
  return [
    ...(schedule === undefined || isSchedule(schedule)
      ? []
      : [
          error(
            "backup-schedule",
            "backup.schedule",
            `${shown(schedule)} is not a schedule of five fields.`,
            "Write minute, hour, day, month and day of the week: `0 1 * * *` is every day at 1.",
          ),
        ]),
    ...whole("backup.keep", keep, 1),
  ];
}

function replicas({ replicas: counts, platform }: Forge): Problem[] {
  const web = counts?.webservice;
  return [
    ...(["webservice", "jobs", "shell"] as const).flatMap((part) => whole(`replicas.${part}`, counts?.[part], 1)),
    ...(counts?.autoscaleFactor !== undefined && counts.autoscaleFactor < 1
      ? [
          error(
            "replicas",
            "replicas.autoscaleFactor",
            `${shown(counts.autoscaleFactor)} is below 1.`,
            "Write 1 or more.",
          ),
        ]
      : []),
    ...(platform?.profile === Profile.production && web !== undefined && web >= 1 && web < limits.forgeWebReplicas
      ? [
          warning(
            "replicas-profile",
            "replicas.webservice",
            `${web} web pod is a stop at every drain of its node, and the profile is production.`,
            `Write ${limits.forgeWebReplicas}.`,
          ),
        ]
      : []),
  ];
}

function applications({ applications: all }: Forge): Problem[] {
  const named = (all ?? []).map((application) => application?.name);
  return (all ?? []).flatMap((application, index) => {
    const path = `applications[${index}]`;
    const { name, redirectUri } = application ?? {};
    return [
      ...dnsLabel(`${path}.name`, name),
      ...(name !== undefined && named.indexOf(name) !== index
        ? [
            error(
              "shared",
              `${path}.name`,
              `${shown(name)} is also an earlier application.`,
              "Each needs its own name.",
            ),
          ]
        : []),
      ...(redirectUri === undefined || URL.parse(redirectUri)?.protocol === "https:"
        ? []
        : [
            error(
              "redirect-uri",
              `${path}.redirectUri`,
              `${shown(redirectUri)} is not a URL by https.`,
              "Write it like https://hub.example.org/c/oidc/callback.",
            ),
          ]),
    ];
  });
}
