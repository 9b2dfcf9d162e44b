import { programs } from "../catalogue/releases.ts";
import { fixedImage } from "../core/image-rules.ts";
import { platform } from "../core/platform-schema.ts";
import {
  as,
  block,
  choice,
  count,
  defaultsTo,
  flag,
  list,
  optional,
  perProfile,
  ruled,
  text,
  texts,
} from "../core/schema.ts";
import { bucketName, dnsLabel, hostName, namespaceName } from "../core/value-rules.ts";
import { resources } from "../kubernetes/resources-schema.ts";
import { readyImage } from "../service-image/value-rules.ts";
import {
  databaseConnection,
  keystoreConnection,
  objectStoreConnection,
  secretKey,
} from "../stores/connections-schema.ts";
import {
  cacheKind,
  goExpression,
  hubRelease,
  issuerUrl,
  projectName,
  quota,
  registryRoute,
  registryUrl,
  robotProjects,
  schedule,
  signOnScopes,
} from "./value-rules.ts";
import { defaultVersion } from "./versions.ts";

export const hubAccess = choice("HubAccess", { pull: "pull", push: "push" }, "What a robot may do in its projects.");

export const hubRegistryRoute = choice(
  "HubRegistryRoute",
  { core: "core", registry: "registry" },
  "Where public requests of the registry API go.",
  {
    core: "To core, which knows users, projects, quotas and what was pushed, and passes them on.",
    registry:
      "Straight to the registry, as the specification has it: only the registry's internal user may sign in, and the hub knows nothing of what it pushes.",
  },
);

export const hubSignOn = block("HubSignOnArgs", "Sign-on with an OpenID Connect provider.", {
  name: optional(text("Name on the sign-in button."), "host of the issuer"),
  issuer: text("The provider's `issuer`, exactly as its `/.well-known/openid-configuration` has it.", {
    rule: issuerUrl,
  }),
  clientId: as(secretKey, "Where the client's id is, in the hub's namespace."),
  clientSecret: as(secretKey, "Where the client's secret is, in the hub's namespace."),
  // Without a refresh token a CLI secret dies with the access token.
  scopes: defaultsTo(
    texts("Scopes to ask for. The stack's forge is not asked for `offline_access`, which GitLab refuses.", {
      rule: signOnScopes,
    }),
    ["openid", "profile", "email", "offline_access"],
  ),
  userClaim: defaultsTo(text("Claim that holds the user's name."), "preferred_username"),
  groupsClaim: defaultsTo(text("Claim that holds the user's groups."), "groups"),
  adminGroup: optional(text("Members of this group administer the hub."), "none: the local administrator alone"),
  groupFilter: optional(
    text("Regular expression of the groups that the hub takes over.", { rule: goExpression }),
    "all",
  ),
});

export const hubRetentionRule = block(
  "HubRetentionRuleArgs",
  "Which images of a project stay; what no rule keeps is deleted. One of the counts is set.",
  {
    repositories: defaultsTo(text("Repositories it is about, with `*`, `**` and `{a,b}`."), "**"),
    tags: defaultsTo(text("Tags it is about, with `*`, `**` and `{a,b}`."), "**"),
    latestPushed: optional(count("Keeps this many images of each repository: those pushed last.", { min: 1 }), "none"),
    latestPulled: optional(count("Keeps this many images of each repository: those pulled last.", { min: 1 }), "none"),
    pushedWithinDays: optional(count("Keeps images that were pushed within this many days.", { min: 1 }), "none"),
    pulledWithinDays: optional(count("Keeps images that were pulled within this many days.", { min: 1 }), "none"),
  },
);

export const hubRetention = block("HubRetentionArgs", "When images of a project are deleted, and which stay.", {
  schedule: defaultsTo(
    text("When, as a cron schedule of six fields. The first field, the seconds, is 0.", { rule: schedule }),
    "0 0 1 * * *",
  ),
  rules: list(hubRetentionRule, "What stays."),
});

export const hubProxyCache = block("HubProxyCacheArgs", "A registry whose images a project passes on and keeps.", {
  kind: text("Kind of registry, e.g. `docker-hub`, `docker-registry`, `github-ghcr`, `harbor`.", { rule: cacheKind }),
  url: text("Its URL, e.g. `https://hub.docker.com`: scheme, host and path.", { rule: registryUrl }),
  user: optional(text("User that signs in there; needs `password`."), "none: anonymous"),
  password: optional(
    as(
      secretKey,
      "Where the user's password is, in the hub's namespace. After a change of the password, raise the Secret's revision.",
    ),
    "none",
  ),
});

export const hubProject = block(
  "HubProjectArgs",
  "A project, which repositories are in. One that leaves the settings stays in the hub.",
  {
    name: text("Name, the first part of its images' names.", { rule: projectName }),
    public: defaultsTo(flag("Everybody may pull."), false),
    storageQuota: optional(
      text("How much it may hold, with a binary suffix.", { rule: quota }),
      "the hub's `storageQuota`",
    ),
    retention: optional(
      as(hubRetention, "Deletes old images."),
      "none: all images stay; a cache keeps the hub's own rule, at first seven days after the last pull",
    ),
    proxyCache: optional(
      as(
        hubProxyCache,
        "Makes the project a cache of another registry. That is decided when the project is made, and so is the kind.",
      ),
      "none",
    ),
  },
);

export const hubRobot = block(
  "HubRobotArgs",
  "An account for machines. Its name and password are in the Secret `hub-robot-<name>`; one that leaves the settings is deleted.",
  {
    name: text("Name; it signs in as `robot$<name>`.", { rule: dnsLabel }),
    projects: texts("Names of the projects it may use.", { rule: robotProjects }),
    access: defaultsTo(as(hubAccess, "What it may do there; `push` may pull too."), "pull"),
  },
);

export const hubGarbageCollection = block(
  "HubGarbageCollectionArgs",
  "Collection of layers that no image has any more.",
  {
    schedule: defaultsTo(
      text("When, as a cron schedule of six fields. The first field, the seconds, is 0.", { rule: schedule }),
      "0 0 3 * * 0",
    ),
    deleteUntagged: defaultsTo(flag("Images without a tag are deleted first."), false),
  },
);

export const hubForgeTokens = block(
  "HubForgeTokensArgs",
  "Registry login with a forge's user name and personal access token: pods that sign users in, between clients and core.",
  {
    image: text("Image of the platform's own services, `repository:tag`; `ServiceImage` builds one. Not in this hub.", {
      rule: readyImage,
    }),
  },
);

export const hubReplicas = block("HubReplicasArgs", "Pods of each part.", {
  core: perProfile(count("Core pods.", { min: 1 }), { production: 2, development: 1 }),
  registry: perProfile(count("Registry pods.", { min: 1 }), { production: 2, development: 1 }),
  jobservice: defaultsTo(count("Pods of background jobs.", { min: 1 }), 1),
  portal: perProfile(count("Web UI pods.", { min: 1 }), { production: 2, development: 1 }),
  signIn: perProfile(count("Pods that sign in with tokens of the forge.", { min: 1 }), {
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
  signIn: resources("Of each pod that signs in with tokens of the forge.", "20m", "64Mi", "500m", "128Mi"),
  jobs: resources("Of migrations and settings Jobs.", "50m", "128Mi", "500m", "512Mi"),
});

export const hub = block(
  "HubArgs",
  "A container-image registry (Harbor) on a database, a keystore and a bucket that exist already.",
  {
    namespace: text("Namespace it runs in; it exists already.", { rule: namespaceName }),
    domain: text("Public host, e.g. `hub.example.org`.", { rule: hostName }),
    version: defaultsTo(text("Version of the hub, 2.x, all three numbers.", { rule: hubRelease }), defaultVersion),
    database: as(databaseConnection, "How the database is reached: through a pooler in session mode."),
    databaseCluster: optional(
      text("CloudNativePG cluster of the database, backed up before each version's migrations."),
      "none: back up by hand before an upgrade",
    ),
    keystore: as(keystoreConnection, "How the keystore is reached."),
    objectStore: as(objectStoreConnection, "How the bucket is reached."),
    bucket: text("Bucket of the images; never changes.", { rule: bucketName }),
    redirect: optional(
      flag("Clients fetch layers from the object store itself, which they must reach."),
      "false: through the hub",
    ),
    signOn: optional(
      as(hubSignOn, "Sign-on; all but the administrator come by it."),
      "none: accounts of the hub's own, which its administrator makes",
    ),
    forgeTokens: optional(
      as(
        hubForgeTokens,
        "Registry login with tokens of the forge that `signOn` names, which runs in the hub's namespace.",
      ),
      "none: CLI secrets and robots",
    ),
    storageQuota: optional(
      text(
        "How much a project may hold, with a binary suffix: `library`, and each project of the settings without a quota of its own.",
        {
          rule: quota,
        },
      ),
      "no limit",
    ),
    projects: optional(
      list(hubProject, "Projects."),
      "none but those made by hand and `library`, public as the hub makes it",
    ),
    robots: optional(list(hubRobot, "Accounts for machines."), "none but those made by hand"),
    garbageCollection: optional(
      as(hubGarbageCollection, "Collection of layers that no image has any more."),
      "every Sunday at 3",
    ),
    registryRoute: defaultsTo(
      ruled(as(hubRegistryRoute, "Where public requests of the registry API go."), registryRoute),
      "core",
    ),
    jobImage: defaultsTo(
      text("Image with Node 24 that applies these settings.", { rule: fixedImage }),
      `docker.io/library/node:${programs.node.deployed}`,
    ),
    replicas: optional(as(hubReplicas, "Pods."), "for the profile"),
    resources: optional(as(hubResources, "Resources."), "the least the images run well with"),
    networkPolicies: optional(
      flag("Network policies with exactly the edges the hub needs."),
      "false: all pods reach each other",
    ),
    defaultDeny: optional(
      flag("With them all other connections in the namespace are denied, but those of its stores."),
      "false: a forge in the namespace does that",
    ),
    platform: as(platform, "Settings every component of the stack shares."),
  },
);
