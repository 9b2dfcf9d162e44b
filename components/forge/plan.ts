import { joinPlans, type Plan } from "../core/plan.ts";
import { planSecrets } from "../kubernetes/secrets.ts";
import { applicationObjects } from "./applications.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgeNames } from "./forge-names.ts";
import { gitstoreObjects } from "./gitstore.ts";
import { settingsObjects } from "./instance-settings.ts";
import { jobsObjects } from "./jobs.ts";
import { migrations, postMigrations } from "./migrations.ts";
import { monitorObjects } from "./monitors.ts";
import { networkObjects } from "./network.ts";
import { pagesObjects } from "./pages.ts";
import { configMapObjects } from "./program-files.ts";
import { certificates, routeObjects } from "./routes.ts";
import { planRunner } from "./runner.ts";
import { secretRequests } from "./secrets.ts";
import { shellObjects } from "./shell.ts";
import { toolboxObjects } from "./toolbox.ts";
import { webObjects } from "./web.ts";

/** Everything that a forge creates, decided by its arguments alone; its namespace and stores are there before it. */
export function planForge(args: ResolvedForge): Plan {
  const migrated = migrations(args);
  // Web and jobs may use what only a git store of their own version has.
  const ready = [migrated.id, `StatefulSet/${forgeNames.gitstore}`];
  return joinPlans(
    planSecrets(secretRequests(args), args.platform.secrets),
    {
      objects: [
        ...networkObjects(args),
        ...certificates(args),
        ...configMapObjects(args),
        ...gitstoreObjects(args),
        migrated.planned,
        ...webObjects(args, ready),
        ...jobsObjects(args, ready),
        ...shellObjects(args),
        ...pagesObjects(args),
        ...toolboxObjects(args, migrated.id),
        ...postMigrations(args),
        ...settingsObjects(args, migrated.id),
        ...applicationObjects(args, migrated.id),
        ...routeObjects(args),
        ...monitorObjects(args),
      ],
    },
    planRunner(args, migrated.id),
  );
}
