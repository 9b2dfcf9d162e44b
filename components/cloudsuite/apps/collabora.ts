import type { Volume, VolumeMount } from "kubernetes-types/core/v1.d.ts";
import { ports } from "../../catalogue/ports.ts";
import { fromSecret } from "../../kubernetes/pod.ts";
import type { ResolvedSuite } from "../schema.ts";
import { scriptsVolume } from "../scripts.ts";
import { bundleInitContainers, bundleMounts, bundlePath, bundleVolumes } from "../trust.ts";
import type { Engine } from "./office-engine.ts";

/** Keys of its Secret: an administrator, and the key that signs requests. */
const keys = {
  user: "username",
  password: "password",
  proofKey: "proof_key",
  proofKeyPublic: "proof_key.pub",
} as const;

const proofKeyFiles = [keys.proofKey, keys.proofKeyPublic] as const;
const proofKeyVolume = "proof-key";

/** A file's or folder's name that means itself however often it is decoded. */
const name = "[\\w@-][\\w.@-]*";

/** Its files have the hash of its version, or `dist`, before them. The settings page is the suite's, for its users. (wsd/FileServer.cpp, browser/Makefile.am) */
const files = [
  name,
  `(?:images|l10n|remote/static|src|welcome|admin/(?:css|font|images))/(?:${name}/)*${name}`,
  "admin/adminIntegratorSettings\\.html",
];

/** An open document is named by its whole encoded address; since 26.04 its WebSocket by the query alone. (browser/js/global.js; wsd/ClientRequestDispatcher.cpp, wsd/RequestDetails.cpp) */
const document = "https?%3[Aa]%2[Ff]%2[Ff][^/]+/(?:ws|insertfile|download/[^/]+)";

/** Collabora, on the path its makers run it in clusters. (CollaboraOnline/online docker/from-packages/scripts, kubernetes/helm) */
export const collabora: Engine = {
  repository: "docker.io/collabora/code",
  exception: "collabora",
  user: 1001,
  port: { name: "http", number: ports.officeCollabora },
  health: "/",
  clientPaths: [
    "^/(?:favicon\\.ico|robots\\.txt)?$",
    "^/hosting/(?:discovery|capabilities)$",
    `^/browser/[0-9a-z]+/(?:${files.join("|")})$`,
    `^/cool/(?:ws|clipboard|media|signature|${document})$`,
  ],
  metrics: (secret) => ({
    path: "/cool/getMetrics",
    basicAuth: { username: { name: secret, key: keys.user }, password: { name: secret, key: keys.password } },
    // These have the names of documents, and a series for each that is open. (wsd/AdminModel.cpp)
    metricRelabelings: [{ sourceLabels: ["__name__"], regex: "doc_.*", action: "drop" }],
  }),
  secret: {
    [keys.user]: { value: "admin" },
    [keys.password]: { password: 32 },
    [keys.proofKey]: { privateKey: "RSA", form: "pem" },
    [keys.proofKeyPublic]: { publicKeyOf: keys.proofKey },
  },
  container: (args, office, secret) => ({
    env: [
      { name: "aliasgroup1", value: `https://${args.domain}:443` },
      { name: "server_name", value: office.domain },
      { name: "DONT_GEN_SSL_CERT", value: "true" },
      {
        name: "extra_params",
        value: ["ssl.enable=false", "ssl.termination=true", ...silence(args), ...trust(args)]
          .map((each) => `--o:${each}`)
          .join(" "),
      },
      fromSecret("username", { name: secret, key: keys.user }),
      fromSecret("password", { name: secret, key: keys.password }),
    ],
    volumes: [proofKeyFrom(secret), ...(args.platform.privateCa ? [scriptsVolume] : []), ...bundleVolumes(args)],
    mounts: [...proofKeyMounts, ...bundleMounts(args)],
    initContainers: bundleInitContainers(args),
  }),
  app: "richdocuments",
  settings: (_, office, internal) => ({ wopi_url: internal, public_wopi_url: `https://${office.domain}` }),
};

/** No look for new versions, and no word of them to users. (coolwsd.xml.in, wsd/COOLWSD.cpp) */
function silence({ platform }: ResolvedSuite): string[] {
  return platform.privacy.officeUpdateCheck ? [] : ["fetch_update_check=0", "allow_update_popup=false"];
}

/** Its user may not write the image's bundle, so it is told of ours; `ssl.ca_file_path` counts only where it serves TLS itself. (wsd/wopi/StorageConnectionManager.cpp) */
function trust({ platform }: ResolvedSuite): string[] {
  return platform.privateCa ? [`storage.ssl.ca_file_path=${bundlePath}`] : [];
}

/**
 * The key it signs its requests to the suite with. It would make a new one at each start, which Nextcloud refuses as long as
 * it keeps the former from the server's discovery. (CollaboraOnline/online kubernetes/helm, proofKeysSecretRef)
 */
function proofKeyFrom(secretName: string): Volume {
  const items = proofKeyFiles.map((file) => ({ key: file, path: file }));
  return { name: proofKeyVolume, secret: { secretName, items, defaultMode: 0o440 } };
}

/** One by one, since the start script writes its configuration beside them. */
const proofKeyMounts: readonly VolumeMount[] = proofKeyFiles.map((file) => ({
  name: proofKeyVolume,
  mountPath: `/etc/coolwsd/${file}`,
  subPath: file,
  readOnly: true,
}));
