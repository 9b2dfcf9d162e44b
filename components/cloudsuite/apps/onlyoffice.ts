import { ports } from "../../catalogue/ports.ts";
import { fromSecret } from "../../kubernetes/pod.ts";
import { authorityMounts, authorityVolumes, nodeEnvironment } from "../../kubernetes/private-ca.ts";
import type { Engine } from "./office-engine.ts";

/** Key of its Secret: what it and the suite sign their requests with. */
const sharedSecret = "jwt-secret";
/** Header that the signature is in. */
const header = "Authorization";
/** Variable of the configuration Job with the shared secret. */
const secretVariable = "OFFICE_JWT_SECRET";

/** The rest of a path: all but an encoded slash, backslash or percent sign. */
const rest = "(?:[^%]|%(?:2[0-46-9A-Ea-e]|5[0-9ABD-Fabd-f]|[013-46-9A-Fa-f][0-9A-Fa-f]))*";

/** Paths may have its version before them. (document-server-package ds-docservice.conf; server DocService/sources/server.js) */
const version = "(?:/\\d[\\w.-]*)?";

/** OnlyOffice: an image with its own database and queue in it, all kept in the pod, since documents live in the suite. */
export const onlyoffice: Engine = {
  repository: "docker.io/onlyoffice/documentserver",
  exception: "onlyoffice",
  user: 0,
  port: { name: "http-onlyoffice", number: ports.officeOnlyoffice },
  health: "/healthcheck",
  clientPaths: [
    "^/(?:robots\\.txt)?$",
    `^${version}/(?:web-apps|sdkjs|sdkjs-plugins|fonts|dictionaries|document-formats|document-templates)/${rest}$`,
    `^${version}/(?:doc|cache/files|downloadas|downloadfile|savefile|printfile|upload|uploadold)/${rest}$`,
    `^${version}/(?:plugins\\.json|themes\\.json|document_editor_service_worker\\.js)$`,
  ],
  secret: { [sharedSecret]: { password: 48 } },
  container: (args, _, secret) => ({
    env: [
      { name: "JWT_ENABLED", value: "true" },
      { name: "JWT_HEADER", value: header },
      fromSecret("JWT_SECRET", { name: secret, key: sharedSecret }),
      // Inside the cluster the suite's public name may lead to a private address.
      { name: "ALLOW_PRIVATE_IP_ADDRESS", value: "true" },
      ...nodeEnvironment(args),
    ],
    volumes: authorityVolumes(args),
    mounts: authorityMounts(args),
  }),
  app: "onlyoffice",
  settings: ({ domain }, office, internal) => ({
    DocumentServerUrl: `https://${office.domain}/`,
    DocumentServerInternalUrl: `${internal}/`,
    StorageUrl: `https://${domain}/`,
    jwt_secret: `\${${secretVariable}}`,
    jwt_header: header,
  }),
  variables: (name) => ({ [secretVariable]: { name, key: sharedSecret } }),
};
