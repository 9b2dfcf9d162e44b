import type { Job } from "kubernetes-types/batch/v1.d.ts";
import { objectId, type PlannedObject } from "../core/plan.ts";
import { secretName } from "../core/secrets.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { awaitedFor } from "../kubernetes/workload.ts";
import { scriptNames, scriptPath } from "./configuration.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgeNames } from "./forge-names.ts";
import { forgePod, railsEnvironment } from "./forge-pod.ts";
import { images } from "./images.ts";
import { forgeMetadata } from "./metadata.ts";
import { administratorKeys } from "./secrets.ts";

const deadlineSeconds = 3600;

/** A migrations Job, and its id for what comes after it. */
export interface MigrationsJob {
  readonly planned: PlannedObject;
  readonly id: string;
}

/**
 * The Job that makes or migrates the schema before the new pods. With `downtime` nothing old runs beside it, so it does all at once; without,
 * it leaves the post-deployment migrations, which old pods could not bear, to `postMigrations`.
 */
export function migrations(args: ResolvedForge): MigrationsJob {
  return migrationsJob(args, forgeNames.migrations, args.downtime !== true, []);
}

/** The Job that ends the migrations after all new pods serve; none with `downtime`, where they are done already. */
export function postMigrations(args: ResolvedForge): PlannedObject[] {
  if (args.downtime) return [];
  const rolled = [forgeNames.webservice, forgeNames.jobs].map((name) => `Deployment/${name}`);
  return [migrationsJob(args, forgeNames.postMigrations, false, rolled).planned];
}

function migrationsJob(
  args: ResolvedForge,
  workload: string,
  withoutPostDeployment: boolean,
  after: readonly string[],
): MigrationsJob {
  const name = `${workload}-${args.version.replaceAll(".", "-")}`;
  const object = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { ...forgeMetadata(args, workload, name), ...awaitedFor(deadlineSeconds) },
    spec: {
      backoffLimit: 6,
      activeDeadlineSeconds: deadlineSeconds,
      template: forgePod(args, {
        name: workload,
        programs: ["migrations"],
        restartPolicy: "OnFailure",
        secrets: [forgeNames.administrator],
        containers: [
          {
            name: "migrations",
            program: "migrations",
            image: images(args).toolbox,
            script: scriptNames.migrate,
            args: ["bash", scriptPath(scriptNames.migrate)],
            env: [
              ...railsEnvironment(args, "migrations"),
              { name: "BYPASS_SCHEMA_VERSION", value: "true" },
              ...(withoutPostDeployment ? [{ name: "SKIP_POST_DEPLOYMENT_MIGRATIONS", value: "true" }] : []),
            ],
            resources: resourceRequirements(args.resources.toolbox),
            volumeMounts: [
              {
                name: "administrator",
                mountPath: "/srv/gitlab/config/initial_root_password",
                subPath: administratorKeys.password,
                readOnly: true,
              },
            ],
          },
        ],
        volumes: [
          {
            name: "administrator",
            secret: {
              secretName: secretName(args.platform.secrets, forgeNames.administrator),
              defaultMode: 0o440,
              items: [{ key: administratorKeys.password, path: administratorKeys.password }],
            },
          },
        ],
      }),
    },
  } satisfies Job;
  // Its pods never change, so a changed one runs anew: migrating twice does nothing the second time.
  return { planned: { object, after: [...after], replaceOnChanges: ["spec.template"] }, id: objectId(object) };
}
