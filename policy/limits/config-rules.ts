import { names } from "@hearth-platform/hearth/catalogue/names";
import { programs } from "@hearth-platform/hearth/catalogue/releases";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { alternatives } from "@hearth-platform/hearth/core/problems";
import { isComparable, mayDowngrade, parseVersion } from "@hearth-platform/hearth/core/versions";
import { suiteKind, wayOn } from "@hearth-platform/hearth/limits/limit";
import { isEndpointOf, locations } from "@hearth-platform/hearth/limits/sets";
import { limits } from "@hearth-platform/hearth/limits/table";
import type { Field } from "../core/field.ts";
import { containers, workloadKinds } from "../core/pods.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../core/policy.ts";
import type { PolicyResource } from "../core/resource.ts";
import { limitsSetting } from "../core/stack-facts.ts";
import { described, isOfSuite, tagOf } from "./suites.ts";

const objectStore = "barmancloud.cnpg.io/ObjectStore";

export const s3Location = resourcePolicy({
  ...described(limits.region),
  unseen: "Where a host really is, and a region from a Secret.",
  settings: {},
  kinds: [suiteKind, objectStore],
  *check(resource, _settings, { limits: widening }) {
    for (const { region, endpoint } of placesOf(resource)) {
      const added = isEndpointOf(region.text ?? "", URL.parse(endpoint.text ?? "")?.hostname ?? "", widening);
      if (added === false) yield violation(region, "The endpoint is not in that region.");
      if (added !== undefined) continue;
      const found = locations.find((location) => location === region.text);
      if (found === undefined)
        yield violation(
          region,
          `The region has to be ${alternatives(limits.region.allowed({ limits: widening }))}.${wayOn(limits.region, region.text, limitsSetting)}`,
        );
      else if (!hostLabels(endpoint).includes(found)) yield violation(region, "The endpoint is not in that location.");
    }
  },
});

function placesOf(resource: PolicyResource): readonly { region: Field; endpoint: Field }[] {
  if (resource.groupKind === suiteKind)
    return [{ region: resource.get("s3", "region"), endpoint: resource.get("s3", "endpoint") }];
  if (!isOfSuite(resource)) return [];
  const endpoint = resource.get("spec", "configuration", "endpointURL");
  return resource
    .get("spec", "instanceSidecarConfiguration", "env")
    .items.filter((variable) => variable.get("name").text === "AWS_DEFAULT_REGION")
    .map((variable) => ({ region: variable.get("value"), endpoint }));
}

function hostLabels(endpoint: Field): readonly string[] {
  return URL.parse(endpoint.text ?? "")?.hostname.split(".") ?? [];
}

export const officeDomain = resourcePolicy({
  id: "lim-office-domain",
  title: "Host of the office server",
  rule: "The office server has its own host, a subdomain of the suite's domain.",
  severity: PolicySeverity.low,
  level: EnforcementLevel.mandatory,
  remediation: "Use a subdomain of the suite's domain, such as office.<domain>.",
  unseen: "Routes to an office server that are made beside the suite.",
  tags: ["limits", "office", "network"],
  settings: {},
  kinds: [suiteKind],
  *check(resource, _settings, { profile }) {
    const [office, domain] = [resource.get("office", "domain"), resource.get("domain")];
    if (!office.exists) return;
    if (office.text === domain.text) yield violation(office, "It is the suite's own host.");
    else if (!isBelow(office.text ?? "", domain.text))
      yield {
        ...violation(office, "It should be a subdomain of the suite's domain."),
        advice: profile === Profile.development,
      };
  },
});

/** Whether a host is one below another: with a name of its own before that. */
function isBelow(host: string, domain: string | undefined): boolean {
  return domain !== undefined && host.endsWith(`.${domain}`) && /^[a-z0-9]/i.test(host);
}

export const versionOrder = resourcePolicy({
  id: "lim-version-order",
  title: "A suite's version only rises",
  rule: "A suite's version starts with a number. It is not below the deployed one, and at most one major above it.",
  severity: PolicySeverity.critical,
  level: EnforcementLevel.mandatory,
  remediation: `Name the deployed version or a newer one, such as ${programs.nextcloud.deployed}; go up one major at a time.`,
  tags: ["limits", "cloudsuite", "versions"],
  settings: {
    deployed: {
      description: `Deployed versions by the name or namespace of the suite: team=${programs.nextcloud.deployed}.`,
      default: [] as readonly string[],
    },
  },
  unseen: "What runs without a word in `deployed`.",
  kinds: [suiteKind, ...workloadKinds],
  *check(resource, { deployed }) {
    for (const { field, tag } of suiteVersions(resource)) {
      if (!isComparable(tag))
        yield violation(field, "The version has to start with a number, so that a downgrade can be recognised.");
      for (const before of deployed.flatMap((entry) => versionFor(resource, entry))) {
        if (mayDowngrade(before, tag)) yield violation(field, "The version is, or may be, below the deployed one.");
        else if ((parseVersion(tag)?.[0] ?? 0) > (parseVersion(before)?.[0] ?? Number.POSITIVE_INFINITY) + 1)
          yield violation(field, "The version skips a major of the deployed one.");
      }
    }
  },
});

function suiteVersions(resource: PolicyResource): readonly { field: Field; tag: string }[] {
  if (resource.groupKind === suiteKind) {
    const field = resource.get("versions", "cloudsuite");
    return [{ field, tag: field.text ?? "" }];
  }
  if (resource.name !== names.cloudsuite.web) return [];
  return containers(resource)
    .filter((container) => container.get("name").text === names.cloudsuite.web)
    .map((container) => container.get("image"))
    .map((field) => ({ field, tag: tagOf(field) }));
}

function versionFor(resource: PolicyResource, entry: string): string[] {
  const [name, version] = entry.split("=", 2);
  const own = resource.groupKind === suiteKind ? resource.programName : resource.namespace;
  return name === own && version !== undefined ? [version] : [];
}
