import { programs } from "../catalogue/releases.ts";
import { fixedImage } from "../core/image-rules.ts";
import { platform } from "../core/platform-schema.ts";
import {
  as,
  block,
  choice,
  count,
  defaultsTo,
  filled,
  flag,
  list,
  optional,
  perProfile,
  ruled,
  text,
  texts,
} from "../core/schema.ts";
import { secretKey } from "../core/secret-key-schema.ts";
import { issuerUrl, signOnScopes } from "../core/sign-on-rules.ts";
import { bucketName, calls, dnsLabel, hostName, namespaceName } from "../core/value-rules.ts";
import { resources } from "../kubernetes/resources-schema.ts";
import { readyImage } from "../service-image/value-rules.ts";
import {
  databaseConnectionSchema,
  keystoreConnectionSchema,
  objectStoreConnectionSchema,
} from "../stores/connections-schema.ts";
import {
  cacheKind,
  goExpression,
  hubRelease,
  projectName,
  quota,
  registryRoute,
  registryUrl,
  robotProjects,
  schedule,
} from "./value-rules.ts";
import { defaultVersion } from "./versions.ts";

export const hubAccess = choice("HubAccess", { pull: "pull", push: "push" }, "What a robot may do in its projects.");

export const hubRegistryRoute = choice(
  "HubRegistryRoute",
  { core: "core", registry: "registry" },
  "Target of public requests to the registry API.",
  {
    core: "To core, which knows users, projects, quotas and pushed images, and passes the requests on.",
    registry:
      "Straight to the registry, as in the specification: only the registry's internal user can sign in, and the hub does not know the images it pushes.",
  },
);

export const hubSignOn = block("HubSignOnArgs", "Sign-on with an OpenID Connect provider.", {
  name: optional(text("Name on the sign-in button."), "host of the issuer"),
  issuer: text(
    "The provider's `issuer`, exactly as in its `/.well-known/openid-configuration`, e.g. `https://id.example.org`.",
    {
      rule: issuerUrl,
    },
  ),
  clientId: as(secretKey, "Secret key of the client's id, in the hub's namespace."),
  clientSecret: as(secretKey, "Secret key of the client's secret, in the hub's namespace."),
  // Without a refresh token a CLI secret dies with the access token.
  scopes: defaultsTo(
    texts("Scopes the hub asks for. It does not ask the stack's forge for `offline_access`, which GitLab refuses.", {
      rule: signOnScopes,
    }),
    ["openid", "profile", "email", "offline_access"],
  ),
  userClaim: defaultsTo(text("Claim that holds the user's name."), "preferred_username"),
  groupsClaim: defaultsTo(text("Claim that holds the user's groups."), "groups"),
  adminGroup: optional(text("Members of this group administer the hub."), "none: only the local administrator"),
  groupFilter: optional(
    text("Regular expression for the groups that the hub imports, e.g. `^hub-.*`.", { rule: goExpression }),
    "all",
  ),
});

export const hubRetentionRule = block(
  "HubRetentionRuleArgs",
  "Images of a project that stay. Images that no rule keeps are deleted. Set exactly one of the counts.",
  {
    repositories: defaultsTo(text("Repositories the rule applies to, with `*`, `**` and `{a,b}`."), "**"),
    tags: defaultsTo(text("Tags the rule applies to, with `*`, `**` and `{a,b}`."), "**"),
    latestPushed: optional(
      count("Keeps this number of the last pushed images in each repository.", { min: 1 }),
      "none",
    ),
    latestPulled: optional(
      count("Keeps this number of the last pulled images in each repository.", { min: 1 }),
      "none",
    ),
    pushedWithinDays: optional(count("Keeps images that were pushed within this many days.", { min: 1 }), "none"),
    pulledWithinDays: optional(count("Keeps images that were pulled within this many days.", { min: 1 }), "none"),
  },
);

export const hubRetention = block("HubRetentionArgs", "When images of a project are deleted, and which images stay.", {
  schedule: defaultsTo(
    text("When, as a cron schedule of six fields. The first field, the seconds, is 0.", { rule: schedule }),
    "0 0 1 * * *",
  ),
  rules: list(hubRetentionRule, "Rules for the images that stay."),
});

export const hubProxyCache = block("HubProxyCacheArgs", "Another registry that a project caches.", {
  kind: text("Kind of registry, e.g. `docker-hub`, `docker-registry`, `github-ghcr`, `harbor`.", { rule: cacheKind }),
  url: text("Its URL, e.g. `https://hub.docker.com`: scheme, host and path.", { rule: registryUrl }),
  user: optional(text("User that signs in there; needs `password`."), "none: anonymous"),
  password: optional(
    as(
      secretKey,
      "Secret key of the user's password, in the hub's namespace. After you change the password, raise the Secret's revision.",
    ),
    "none",
  ),
});

export const hubProject = block(
  "HubProjectArgs",
  "A project, which holds repositories. If you remove it from the settings, it stays in the hub.",
  {
    name: text("Name of the project, the first part of its images' names.", { rule: projectName }),
    public: defaultsTo(flag("Lets everybody pull."), false),
    storageQuota: optional(
      text("The most it may hold, with a binary suffix, e.g. `50Gi`.", { rule: quota }),
      "the hub's `storageQuota`",
    ),
    retention: optional(
      as(hubRetention, "Deletes old images."),
      "none: all images stay; a cache keeps the hub's own rule, which at first deletes images seven days after the last pull",
    ),
    proxyCache: optional(
      as(
        hubProxyCache,
        "Makes the project a cache of another registry. You can't change this, or the kind, once the project exists.",
      ),
      "none",
    ),
  },
);

export const hubRobot = block(
  "HubRobotArgs",
  "An account for machines. Its name and password are in the Secret `hub-robot-<name>`. If you remove it from the settings, it is deleted.",
  {
    name: text("Name of the robot, which signs in as `robot$<name>`.", { rule: dnsLabel }),
    projects: texts("Names of the projects it may use.", { rule: robotProjects }),
    access: defaultsTo(as(hubAccess, "Its rights in these projects; `push` includes pull."), "pull"),
  },
);

export const hubGarbageCollection = block(
  "HubGarbageCollectionArgs",
  "Garbage collection of layers that no image uses.",
  {
    schedule: defaultsTo(
      text("When, as a cron schedule of six fields. The first field, the seconds, is 0.", { rule: schedule }),
      "0 0 3 * * 0",
    ),
    deleteUntagged: defaultsTo(flag("Deletes images without a tag first."), false),
  },
);

export const hubAuditLog = block(
  "HubAuditLogArgs",
  "The audit log: who pulled, pushed, signed in or changed what. It is in the hub's database.",
  {
    purge: defaultsTo(
      flag("Deletes old entries; if false, the hub keeps all, and the database grows with every pull."),
      true,
    ),
    // The hub takes at most 240,000 hours. (goharbor/harbor src/common/const.go, MaxAuditRetentionHour)
    retentionDays: defaultsTo(count("Days that an entry stays.", { min: 1, max: 10_000 }), 90),
    schedule: defaultsTo(
      text("When, as a cron schedule of six fields. The first field, the seconds, is 0.", { rule: schedule }),
      "0 0 2 * * *",
    ),
  },
);

export const hubForgeTokens = block(
  "HubForgeTokensArgs",
  "Registry login with a forge's user name and personal access token: the pods between clients and core that sign users in.",
  {
    image: text(
      "Image of the platform's own services, e.g. `registry.example.org/hearth/services:1.0.0`; `ServiceImage` builds one. It can't be in this hub.",
      {
        rule: readyImage,
      },
    ),
  },
);

export const hubTokenLimits = block(
  "HubTokenLimitsArgs",
  "Limits of `/service/token`, where Docker clients sign in, for each source. Further calls get 429.",
  {
    callsPerSecond: defaultsTo(
      count("Average calls a second from one source.", { rule: calls, hints: { minimum: 1 } }),
      50,
    ),
    burst: defaultsTo(count("Largest burst of calls from one source.", { rule: calls, hints: { minimum: 1 } }), 200),
    inFlight: defaultsTo(count("Concurrent calls from one source.", { rule: calls, hints: { minimum: 1 } }), 64),
  },
);

export const hubReplicas = block("HubReplicasArgs", "Pods of each part.", {
  core: perProfile(count("Core pods.", { min: 1 }), { production: 2, development: 1 }),
  registry: perProfile(count("Registry pods.", { min: 1 }), { production: 2, development: 1 }),
  jobservice: defaultsTo(count("Pods of background jobs.", { min: 1 }), 1),
  portal: perProfile(count("Web UI pods.", { min: 1 }), { production: 2, development: 1 }),
  signIn: perProfile(count("Pods that handle sign-ins with tokens of the forge.", { min: 1 }), {
    production: 2,
    development: 1,
  }),
});

export const hubResources = block("HubResourcesArgs", "Resources of the hub's parts.", {
  core: resources("Of each core pod.", "100m", "256Mi", "1000m", "1Gi"),
  registry: resources("Of each registry container.", "100m", "256Mi", "1000m", "1Gi"),
  registryController: resources("Of each registry's controller sidecar.", "50m", "64Mi", "500m", "256Mi"),
  jobservice: resources("Of each pod of background jobs.", "100m", "128Mi", "1000m", "512Mi"),
  portal: resources("Of each web UI pod.", "50m", "64Mi", "500m", "128Mi"),
  signIn: resources("Of each pod that handles sign-ins with tokens of the forge.", "20m", "64Mi", "500m", "128Mi"),
  jobs: resources("Of migrations and settings Jobs.", "50m", "128Mi", "500m", "512Mi"),
});

export const hub = block(
  "HubArgs",
  "A container-image registry (Harbor) on a database, a keystore and a bucket that exist already.",
  {
    namespace: text("Namespace of the component; it must exist.", { rule: namespaceName }),
    domain: text("Public host, e.g. `hub.example.org`.", { rule: hostName }),
    version: defaultsTo(text("Version of the hub, 2.x, with all three numbers.", { rule: hubRelease }), defaultVersion),
    database: as(databaseConnectionSchema, "How the database is reached: through a pooler in session mode."),
    databaseCluster: optional(
      text("CloudNativePG cluster of the database, backed up before each version's migrations."),
      "none: back up by hand before an upgrade",
    ),
    keystore: as(keystoreConnectionSchema, "How the keystore is reached."),
    objectStore: as(objectStoreConnectionSchema, "How the bucket is reached."),
    bucket: text("Bucket of the images, e.g. `registry-a1b2-platform`; never changes.", { rule: bucketName }),
    backups: optional(
      text(
        "Bucket of the database's backups in the same object store, e.g. `db-backups-a1b2-platform`. The encryption key is copied there every night.",
        {
          rule: bucketName,
        },
      ),
      "none: the key is in its Secret alone",
    ),
    redirect: optional(
      flag("Redirects clients to the object store for layers; they must be able to reach it."),
      "false: through the hub",
    ),
    signOn: optional(
      as(hubSignOn, "Sign-on of all users but the administrator."),
      "none: accounts in the hub, which its administrator makes",
    ),
    forgeTokens: optional(
      as(
        hubForgeTokens,
        "Registry login with tokens of the forge that `signOn` names. That forge must be in the hub's namespace.",
      ),
      "none: CLI secrets and robots",
    ),
    tokenLimits: filled(
      as(hubTokenLimits, "Rate limits of `/service/token`."),
      "enough for an office or a cluster behind one address",
    ),
    storageQuota: optional(
      text(
        "The most a project may hold, with a binary suffix, e.g. `50Gi`. It applies to `library`, and to each project in the settings without its own quota.",
        {
          rule: quota,
        },
      ),
      "no limit",
    ),
    projects: filled(
      list(hubProject, "Projects."),
      "none but those made by hand and the public `library`, which the hub makes",
    ),
    robots: filled(list(hubRobot, "Accounts for machines."), "none but those made by hand"),
    garbageCollection: filled(
      as(hubGarbageCollection, "Garbage collection of layers that no image uses."),
      "every Sunday at 3",
    ),
    auditLog: filled(
      as(hubAuditLog, "The audit log."),
      "entries stay 90 days; older ones are deleted every night at 2",
    ),
    registryRoute: defaultsTo(
      ruled(as(hubRegistryRoute, "Target of public requests to the registry API."), registryRoute),
      "core",
    ),
    jobImage: defaultsTo(
      text("Image with Node 24 that applies these settings.", { rule: fixedImage }),
      `docker.io/library/node:${programs.node.deployed}`,
    ),
    replicas: filled(as(hubReplicas, "Pods."), "for the profile"),
    resources: filled(as(hubResources, "Resources."), "the least the images run well with"),
    networkPolicies: optional(
      flag("Network policies with exactly the connections the hub needs."),
      "as the whole stack: with profile production",
    ),
    defaultDeny: optional(
      flag("Also denies all other connections in the namespace except those of the hub's stores."),
      "false: a forge in the namespace does that",
    ),
    platform: as(platform, "Settings that all components of the stack share."),
  },
);
