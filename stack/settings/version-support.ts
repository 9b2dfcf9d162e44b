import { serviceBase } from "@hearth-platform/hearth/catalogue/images";
import { programs } from "@hearth-platform/hearth/catalogue/releases";
import { supportProblems } from "@hearth-platform/hearth/catalogue/support";
import { OfficeEngine } from "@hearth-platform/hearth/cloudsuite/args";
import { soundParts } from "@hearth-platform/hearth/core/arguments";
import type { Day } from "@hearth-platform/hearth/core/days";
import { parseImage } from "@hearth-platform/hearth/core/image-reference";
import type { Problem } from "@hearth-platform/hearth/core/problems";
import type { ConfigFile } from "../areas/suites/config-schema.ts";
import { StackSettings } from "./stack-schema.ts";

/** Deployed versions whose fixes have ended or end soon. A version that no setting names is reported at its area. */
export function stackSupport(known: unknown, today: Day | undefined): Problem[] {
  if (today === undefined) return [];
  const { forge, hub, database, keystore, siteWebhook } = soundParts(StackSettings, known);
  const { gitlab, harbor, postgresql, valkey, distroless } = programs;
  const base = siteWebhook?.repository === undefined ? undefined : (siteWebhook.baseImage ?? serviceBase);
  return [
    ...(forge ? supportProblems("forge.version", gitlab, forge.version ?? gitlab.deployed, today) : []),
    ...(hub ? supportProblems("hub.version", harbor, hub.version ?? harbor.deployed, today) : []),
    ...(forge || hub
      ? [
          ...supportProblems("database.version", postgresql, database?.version ?? postgresql.deployed, today),
          ...supportProblems("keystore.version", valkey, keystore?.version ?? valkey.deployed, today),
        ]
      : []),
    ...supportProblems("siteWebhook.baseImage", distroless, debianOf(base), today),
  ];
}

/** The Debian of one of distroless' images of Node.js, wherever it is mirrored. */
function debianOf(image: string | undefined): string | undefined {
  return /\/nodejs\d+-debian(\d+)$/.exec(parseImage(image ?? "")?.repository ?? "")?.[1];
}

/** The same of a suite's file; what an office of the other engine still gets, no source says. */
export function suiteSupport(
  { versions }: Partial<ConfigFile>,
  { officeEngine, today }: { readonly officeEngine?: OfficeEngine; readonly today?: Day },
): Problem[] {
  if (today === undefined) return [];
  const { nextcloud, postgresql, valkey, collabora, whiteboard } = programs;
  return [
    ...supportProblems("versions.cloudsuite", nextcloud, versions?.cloudsuite, today),
    ...supportProblems("versions.db", postgresql, versions?.db, today),
    ...supportProblems("versions.keystore", valkey, versions?.keystore, today),
    ...(officeEngine === OfficeEngine.onlyoffice
      ? []
      : supportProblems("versions.office", collabora, versions?.office, today)),
    ...supportProblems("versions.whiteboard", whiteboard, versions?.whiteboard, today),
  ];
}
