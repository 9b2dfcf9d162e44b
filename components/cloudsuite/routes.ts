import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { defaultOf } from "../core/schema.ts";
import { certificate } from "../exposure/certificate.ts";
import type { ExposedHost, Exposure, ExposureRule } from "../exposure/exposure.ts";
import { traefikObjects } from "../exposure/traefik.ts";
import type { CloudSuiteArgs, CloudSuiteOfficeArgs } from "./args.ts";
import { suiteMetadata } from "./metadata.ts";
import { officePort } from "./office.ts";
import { clientPaths } from "./office-paths.ts";
import { cloudSuiteOffice } from "./schema.ts";
import { suiteNames } from "./suite-names.ts";

/** Certificates of the public hosts. */
export function certificates(args: CloudSuiteArgs): PlannedObject[] {
  const { clusterIssuer } = args.platform.ingress;
  return [
    certificate(suiteMetadata(args, suiteNames.web, suiteNames.tls), [args.domain], clusterIssuer),
    ...(args.office
      ? [certificate(suiteMetadata(args, suiteNames.office, suiteNames.officeTls), [args.office.domain], clusterIssuer)]
      : []),
  ];
}

/** Ways in from outside: HTTPS to web, whiteboard and office; HTTP is sent to HTTPS. */
export function routeObjects(args: CloudSuiteArgs): PlannedObject[] {
  return traefikObjects(exposure(args), args.platform.ingress);
}

// The one header that Nextcloud checks for and does not send itself.
const { strictTransport } = suiteNames;

function exposure(args: CloudSuiteArgs): Exposure {
  const { domain, office, whiteboard } = args;
  const web: ExposureRule = {
    service: suiteNames.web,
    port: ports.cloudsuite,
    strictTransport,
    // Apache would redirect to http://, since that is what it is asked by.
    redirect: {
      name: suiteNames.davRedirect,
      pattern: "/\\.well-known/(?:card|cal)dav/?",
      to: "/remote.php/dav/",
    },
  };
  const boards: ExposureRule = {
    paths: [{ tree: "/whiteboard" }],
    service: suiteNames.whiteboard,
    port: ports.whiteboard,
    strictTransport,
    stripPrefix: { name: suiteNames.whiteboardPrefix, prefix: "/whiteboard" },
  };
  const suite: ExposedHost = {
    metadata: suiteMetadata(args, suiteNames.web),
    host: domain,
    tlsSecret: suiteNames.tls,
    rules: [web, ...(whiteboard ? [boards] : [])],
  };
  return {
    metadata: suiteMetadata(args, suiteNames.web),
    hosts: [suite, ...(office ? [officeHost(args, office)] : [])],
    toHttps: suiteNames.toHttps,
  };
}

function officeHost(args: CloudSuiteArgs, office: CloudSuiteOfficeArgs): ExposedHost {
  return {
    metadata: suiteMetadata(args, suiteNames.office),
    host: office.domain,
    tlsSecret: suiteNames.officeTls,
    rules: [
      {
        paths: clientPaths[office.engine ?? defaultOf(cloudSuiteOffice.shape.engine)].map((pattern) => ({ pattern })),
        service: suiteNames.office,
        port: officePort(office),
        strictTransport,
      },
    ],
  };
}
