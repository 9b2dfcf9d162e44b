import type { Pack } from "../core/policy.ts";
import { aggregatedRoles } from "./access/aggregation.ts";
import { leastRights } from "./access/least-rights.ts";
import { limitsInForce } from "./access/limits-in-force.ts";
import { apiVersions } from "./api-versions/api-versions.ts";
import { chartVersions, helmReleases } from "./charts/helm.ts";
import { podSecurityLabels } from "./namespaces/pod-security-labels.ts";
import { serviceExposure } from "./network/exposure.ts";
import { uniqueHosts } from "./network/hosts.ts";
import { ingressControl } from "./network/ingress-control.ts";
import { cloudMetadata } from "./network/metadata.ts";
import { networkPolicyRule } from "./network/policies.ts";
import { selectors } from "./network/selectors.ts";
import { ingressTls } from "./network/tls.ts";
import { tlsStrength } from "./network/tls-strength.ts";
import { databaseAccess } from "./secrets/database-access.ts";
import { objectStoreCredentials } from "./secrets/object-store-keys.ts";
import { plainSecrets } from "./secrets/plain.ts";
import { bucketAccess } from "./storage/bucket-access.ts";
import { databaseBackups } from "./storage/database-backups.ts";
import { hostPaths } from "./storage/host-paths.ts";
import { protection } from "./storage/protection.ts";
import { volumeClaims } from "./storage/volume-claims.ts";
import { disruptionBudgets } from "./workloads/disruption-budgets.ts";
import { duplicatePorts } from "./workloads/duplicate-ports.ts";
import { gracePeriods } from "./workloads/grace-periods.ts";
import { imageDigests } from "./workloads/image-digests.ts";
import { imageSources } from "./workloads/image-sources.ts";
import { imagePolicy } from "./workloads/images.ts";
import { podSecurity } from "./workloads/pod-security.ts";
import { probes } from "./workloads/probes.ts";
import { readonlyRoot } from "./workloads/readonly-root.ts";
import { containerResources } from "./workloads/resources.ts";
import { serviceAccountTokens } from "./workloads/service-accounts.ts";
import { spread } from "./workloads/spread.ts";

/** Workloads, network, storage, access and secrets, in the order in which users act on them. */
export const baselinePack: Pack = {
  name: "platform-baseline",
  description: "Good practice for workloads, network, storage, access and secrets.",
  policies: [
    containerResources,
    imagePolicy,
    imageDigests,
    imageSources,
    probes,
    podSecurity,
    readonlyRoot,
    plainSecrets,
    serviceAccountTokens,
    disruptionBudgets,
    spread,
    gracePeriods,
    duplicatePorts,
    serviceExposure,
    ingressTls,
    uniqueHosts,
    tlsStrength,
    ingressControl,
    networkPolicyRule,
    cloudMetadata,
    selectors,
    volumeClaims,
    protection,
    hostPaths,
    bucketAccess,
    databaseBackups,
    databaseAccess,
    podSecurityLabels,
    leastRights,
    aggregatedRoles,
    limitsInForce,
    objectStoreCredentials,
    helmReleases,
    chartVersions,
    apiVersions,
  ],
};
