import { programs } from "../catalogue/releases.ts";
import { imageName } from "../core/image-rules.ts";
import { mail } from "../core/mail-schema.ts";
import { entryPointName, jobNetworks } from "../core/object-rules.ts";
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
  port,
  text,
  texts,
} from "../core/schema.ts";
import { secretKey } from "../core/secret-key-schema.ts";
import { serverName } from "../core/server-rules.ts";
import { bytes, dnsLabel, hostName, namespaceName } from "../core/value-rules.ts";
import { resources } from "../kubernetes/resources-schema.ts";
import { storageClasses } from "../limits/sets.ts";
import { limits } from "../limits/table.ts";
import { singleWriterClass } from "../limits/value-rules.ts";
import {
  databaseConnectionSchema,
  keystoreConnectionSchema,
  objectStoreConnectionSchema,
} from "../stores/connections-schema.ts";
import {
  backupSchedule,
  distinguishedName,
  forgeRelease,
  identifier,
  redirectUri,
  runnerTags,
  timeZone,
  toolVersion,
} from "./value-rules.ts";
import { defaultVersion } from "./versions.ts";

export const forgeEdition = choice(
  "ForgeEdition",
  { enterprise: "ee", community: "ce" },
  "Edition of the forge's images.",
);

export const forgeVisibility = choice(
  "ForgeVisibility",
  { private: "private", internal: "internal", public: "public" },
  "Default visibility of new projects.",
);

export const forgeLdapEncryption = choice(
  "ForgeLdapEncryption",
  { startTls: "start_tls", tls: "simple_tls", plain: "plain" },
  "How the connection to a directory server is encrypted.",
);

export const forgeSignInKind = choice(
  "ForgeSignInKind",
  { openIdConnect: "openid_connect", saml: "saml" },
  "Protocol of an external sign-in.",
);

export const forgeSsh = block("ForgeSshArgs", "Git over SSH.", {
  entryPoint: text(
    "Traefik entry point of the TCP route, which must exist in Traefik's static configuration. With a Gateway, the name of its listener.",
    { rule: entryPointName },
  ),
  domain: optional(
    text("Public host of git over SSH, e.g. `ssh.example.org`.", { rule: hostName }),
    "the forge's domain",
  ),
  port: defaultsTo(port("Public port, as in clone addresses."), 22),
  listenerPort: optional(port("Port of the Gateway's listener for SSH."), "the public port"),
  proxyProtocol: optional(
    flag("Traefik, or the Gateway's proxy, sends the client's address with the PROXY protocol."),
    "`true`; with a Gateway `false`, since its routes can't express it",
  ),
  sessionsPerConnection: defaultsTo(
    count("Sessions that one SSH connection may have open at once. A busy CI host opens many.", { min: 1 }),
    100,
  ),
});

export const forgePages = block("ForgePagesArgs", "Static sites.", {
  domain: text(
    "Domain below which sites have their hosts, `*.<domain>`, e.g. `pages.example.org`; needs an issuer of wildcard certificates.",
    {
      rule: hostName,
    },
  ),
  replicas: perProfile(count("Pods.", { min: 1 }), { production: 2, development: 1 }),
  resources: resources("Resources of each pod.", "50m", "64Mi", "500m", "256Mi"),
});

export const forgeRunner = block("ForgeRunnerArgs", "Runner of CI jobs, with one pod for each job.", {
  jobNamespace: optional(
    text("Namespace of the jobs; created with the forge.", { rule: namespaceName }),
    "the forge's namespace and `-jobs`",
  ),
  concurrent: defaultsTo(count("Jobs at once.", { min: 1 }), 10),
  defaultImage: defaultsTo(
    text("Image of jobs that don't set one.", { rule: imageName }),
    `docker.io/library/alpine:${programs.alpine.deployed}`,
  ),
  tags: filled(texts("Tags of the jobs it runs. It always runs jobs without tags.", { rule: runnerTags }), "none"),
  version: optional(
    text("Tag of the runner's image, e.g. `18.9.0`, of the same minor as the forge.", { rule: toolVersion("18.9.0") }),
    "the newest one known of the forge's minor",
  ),
  allowedNetworks: filled(
    texts(
      "Addresses (CIDR) that jobs may reach with `networkPolicies`, beside DNS, the forge, the ingress and the internet, e.g. `10.1.2.3/32`. Name a load balancer or an object store that has a private address.",
      { rule: jobNetworks },
    ),
    "none",
  ),
  jobResources: resources("Resources of each job's container.", "200m", "512Mi", "2000m", "2Gi"),
});

export const forgeSignIn = block("ForgeSignInArgs", "Sign-in with an external provider.", {
  name: text("Unique name of the provider in lower case, e.g. `openid_connect`.", { rule: identifier }),
  kind: as(forgeSignInKind, "Protocol."),
  label: optional(text("Text of the sign-in button."), "the name"),
  provider: as(
    secretKey,
    "Secret key, in the forge's namespace, with the provider's settings: a YAML document like an entry of the forge's `omniauth.providers`.",
  ),
});

export const forgeLdap = block("ForgeLdapArgs", "Sign-in with a directory.", {
  name: text("Key of the server in the forge's database, e.g. `main`; never changes.", { rule: identifier }),
  label: defaultsTo(text("Text of the sign-in tab."), "LDAP"),
  host: text("Host of the directory server, e.g. `ldap.example.org`.", { rule: serverName }),
  port: defaultsTo(port("TCP port."), 636),
  encryption: defaultsTo(as(forgeLdapEncryption, "Encryption."), "simple_tls"),
  base: text("Base of the search for users, e.g. `ou=people,dc=example,dc=org`.", { rule: distinguishedName }),
  uid: defaultsTo(text("Attribute that holds the user's name."), "uid"),
  userFilter: optional(text("Filter of users, e.g. `(memberOf=cn=developers,dc=example,dc=org)`."), "none"),
  activeDirectory: defaultsTo(flag("Whether the directory is Active Directory."), false),
  bindDn: optional(text("Name with which the forge signs in to the directory; needs `password`."), "none: anonymous"),
  password: optional(as(secretKey, "Secret key of this password, in the forge's namespace."), "none"),
});

export const forgeSignOn = block("ForgeSignOnArgs", "Sign-in with accounts other than the forge's own.", {
  providers: filled(list(forgeSignIn, "OpenID Connect and SAML providers."), "none"),
  ldap: filled(list(forgeLdap, "Directories."), "none"),
  autoCreate: filled(
    texts("Names of providers and directories whose users get an account at their first sign-in."),
    "none: they wait for an administrator",
  ),
});

export const forgeAdministration = block("ForgeAdministrationArgs", "Settings of the Admin area, mail and sign-in.", {
  timeZone: optional(text("Time zone by its IANA name, e.g. `Europe/Berlin`.", { rule: timeZone }), "UTC"),
  signUp: optional(flag("Lets anybody sign up."), "false at the installation, afterwards the value in the Admin area"),
  defaultProjectVisibility: optional(
    as(forgeVisibility, "Visibility of new projects."),
    "private at the installation, afterwards the value in the Admin area",
  ),
  smtp: optional(as(mail, "Mail."), "the platform's `mail`; without it the forge sends none"),
  signOn: filled(as(forgeSignOn, "External sign-in."), "none"),
});

export const forgeApplication = block(
  "ForgeApplicationArgs",
  "An application that signs on with the forge, e.g. the hub.",
  {
    name: text("Name that users see, also part of object names: a DNS label, e.g. `hub`.", { rule: dnsLabel }),
    redirectUri: text("URL to which the forge sends users back, e.g. `https://hub.example.org/c/oidc/callback`.", {
      rule: redirectUri,
    }),
    scopes: defaultsTo(texts("Scopes the application may ask for."), ["openid", "profile", "email"]),
  },
);

export const forgeRepositoryBackup = choice(
  "ForgeRepositoryBackup",
  { bucket: "bucket", archive: "archive" },
  "Where the forge's repositories are backed up.",
);

export const forgeBackup = block(
  "ForgeBackupArgs",
  "Scheduled backups of the forge: database and objects in one archive, and the repositories with it.",
  {
    schedule: defaultsTo(text("When, as a cron schedule of five fields.", { rule: backupSchedule }), "0 1 * * *"),
    keep: defaultsTo(count("Number of archives to keep.", { min: 1 }), 7),
    repositories: defaultsTo(
      as(
        forgeRepositoryBackup,
        "Where repositories are backed up: `bucket` has the git store put them into the bucket of the backups itself, `archive` puts them into the archive by way of the scratch space.",
      ),
      "bucket",
    ),
    objects: defaultsTo(
      flag("The archive holds the objects, too: uploads, LFS objects, artifacts, packages, sites and the like."),
      true,
    ),
    scratchSize: defaultsTo(
      text("Scratch space for making an archive, with a binary suffix: twice the size of what the archive holds.", {
        rule: bytes,
      }),
      "20Gi",
    ),
  },
);

export const forgeReplicas = block("ForgeReplicasArgs", "Pods of the forge's parts.", {
  webservice: perProfile(count("Web pods in normal operation.", { min: 1 }), {
    production: limits.forgeWebReplicas.least({ profile: "production" }),
    development: limits.forgeWebReplicas.least({ profile: "development" }),
  }),
  jobs: perProfile(count("Pods of background jobs.", { min: 1 }), { production: 2, development: 1 }),
  shell: perProfile(count("SSH pods.", { min: 1 }), { production: 2, development: 1 }),
  autoscaleFactor: defaultsTo(
    count(
      "Factor by which an autoscaler may raise the number of web, job and SSH pods: 3 allows 6 pods instead of 2. With 1 there is no autoscaler.",
      { min: 1 },
    ),
    1,
  ),
});

export const forgeResources = block("ForgeResourcesArgs", "Resources of the forge's parts.", {
  webservice: resources("Of each web container.", "500m", "2560Mi", "2000m", "4Gi"),
  proxy: resources("Of each proxy sidecar.", "50m", "128Mi", "500m", "512Mi"),
  jobs: resources("Of each pod of background jobs.", "500m", "2Gi", "1500m", "3Gi"),
  gitstore: resources("Of the git store.", "200m", "512Mi", "2000m", "2Gi"),
  shell: resources("Of each SSH pod.", "50m", "64Mi", "500m", "256Mi"),
  toolbox: resources("Of the toolbox, migrations, backups and other Jobs.", "100m", "1Gi", "1500m", "3Gi"),
  runner: resources("Of the runner.", "50m", "64Mi", "500m", "256Mi"),
});

export const forge = block(
  "ForgeArgs",
  "A code-hosting platform (GitLab) on a database, a keystore and buckets that exist already.",
  {
    namespace: text("Namespace of the component; it must exist.", { rule: namespaceName }),
    domain: text("Public host, e.g. `forge.example.org`.", { rule: hostName }),
    version: defaultsTo(
      text(
        "Version of the forge, 18.x or 19.x, with all three numbers; 18.11 is the last that runs on PostgreSQL 16.",
        { rule: forgeRelease },
      ),
      defaultVersion,
    ),
    shellVersion: optional(
      text("Version of the SSH server (GitLab Shell) that was published with the forge's version, e.g. `14.50.0`.", {
        rule: toolVersion("14.45.3"),
      }),
      "known for 18, and for 19 up to 19.4",
    ),
    edition: defaultsTo(as(forgeEdition, "Edition of the images. Without a licence both work the same."), "ee"),
    databaseVersion: text("Major of the PostgreSQL server: 16 or 17 for 18, 17 for 19; 18 from 19.3 on."),
    database: as(databaseConnectionSchema, "How the database is reached: through a pooler in session mode."),
    keystore: as(keystoreConnectionSchema, "How the keystore is reached."),
    objectStore: as(objectStoreConnectionSchema, "How the buckets are reached."),
    bucketSuffix: text("Part of the buckets' names, `<use>-<suffix>-<namespace>`; never changes.", { rule: dnsLabel }),
    ssh: optional(as(forgeSsh, "Git over SSH."), "none: only git over HTTPS"),
    pages: optional(as(forgePages, "Static sites."), "none"),
    runner: optional(as(forgeRunner, "Runner of CI jobs."), "none"),
    administration: filled(
      as(forgeAdministration, "Settings of the Admin area, mail and sign-in."),
      "the forge's own defaults; nobody may sign up",
    ),
    applications: filled(list(forgeApplication, "Applications that sign on with the forge."), "none"),
    backup: filled(as(forgeBackup, "Scheduled backups."), "every night at 1; the last 7 are kept"),
    replicas: filled(as(forgeReplicas, "Pods."), "for the profile"),
    resources: filled(as(forgeResources, "Resources."), "the least the images run well with"),
    repositorySize: defaultsTo(
      text("Size of the repositories' volume, with a binary suffix. If you raise it, the volume grows in place.", {
        rule: bytes,
      }),
      "50Gi",
    ),
    repositoryClass: defaultsTo(
      text(
        "Storage class of this volume and of the scratch space; in a stack its `storageClass` unless it is set here.",
        {
          rule: singleWriterClass,
        },
      ),
      storageClasses.replicatedBlock,
    ),
    maintenance: defaultsTo(
      flag("Stops web and job pods, so that nothing writes. Git store and toolbox keep running."),
      false,
    ),
    downtime: defaultsTo(
      flag("Lets an upgrade skip minor versions up to the next required stop. The forge is down while it runs."),
      false,
    ),
    networkPolicies: optional(
      flag("Network policies that allow exactly the connections the forge needs and deny all others."),
      "as the whole stack: with profile production",
    ),
    platform: as(platform, "Settings that all components of the stack share."),
  },
);
