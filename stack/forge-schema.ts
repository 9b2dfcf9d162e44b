import {
  ForgeEdition,
  ForgeLdapEncryption,
  ForgeSignInKind,
  ForgeSmtpSecurity,
  ForgeVisibility,
} from "@hearth-platform/hearth/forge/args";
import { defaultVersion } from "@hearth-platform/hearth/forge/versions";
import { z } from "zod";
import { count, flag, port, recovery, resourceSpec, secretKey, text, texts } from "./schema-parts.ts";

/** The settings of the forge and of the stores it shares with the hub. */

const smtp = z
  .strictObject({
    host: text("Host of the mail server.").optional(),
    port: port("TCP port. Default 587.").optional(),
    security: z.enum(Object.values(ForgeSmtpSecurity)).meta({ description: "Default starttls." }).optional(),
    from: text("Sender of the forge's mail.", ["forge@example.org"]).optional(),
    displayName: text("Name of the sender. Default Forge.").optional(),
    replyTo: text("Address for answers. Default: the sender's.").optional(),
    user: text("User that signs in; needs password. Default: no sign-in.").optional(),
    password: secretKey("Where the user's password is, in the stack's namespace.").optional(),
  })
  .meta({ description: "Mail. Default: the forge sends none." });

const provider = z.strictObject({
  name: text("Name of the provider, unique, in lower case.", ["openid_connect"]),
  kind: z.enum(Object.values(ForgeSignInKind)).meta({ description: "Protocol." }),
  label: text("Text of its button. Default: the name.").optional(),
  provider: secretKey("Where its settings are: a YAML document as the forge's omniauth.providers has it."),
});

const ldap = z.strictObject({
  name: text("Key of the server in the forge's database; never changes.", ["main"]),
  label: text("Text of its tab. Default LDAP.").optional(),
  host: text("Host of the directory server."),
  port: port("TCP port. Default 636.").optional(),
  encryption: z.enum(Object.values(ForgeLdapEncryption)).meta({ description: "Default simple_tls." }).optional(),
  base: text("Where users are searched.", ["ou=people,dc=example,dc=org"]),
  uid: text("Attribute that holds the user's name. Default uid.").optional(),
  userFilter: text("Filter of users. Default none.").optional(),
  activeDirectory: flag("The directory is Active Directory. Default false.").optional(),
  bindDn: text("Name the forge signs in to the directory with; needs password. Default anonymous.").optional(),
  password: secretKey("Where its password is, in the stack's namespace.").optional(),
});

const administration = z
  .strictObject({
    timeZone: text("Time zone. Default UTC.", ["Europe/Berlin"]).optional(),
    signUp: flag("Anybody may sign up. Default: what administrators set in the forge; at first nobody.").optional(),
    defaultProjectVisibility: z
      .enum(Object.values(ForgeVisibility))
      .meta({ description: "Who sees a new project. Default: what administrators set in the forge; at first private." })
      .optional(),
    smtp: smtp.optional(),
    signOn: z
      .strictObject({
        providers: z.array(provider).meta({ description: "OpenID Connect and SAML providers." }).optional(),
        ldap: z.array(ldap).meta({ description: "Directories." }).optional(),
        autoCreate: texts(
          "Providers and directories whose users get an account at their first sign-in. Default none.",
        ).optional(),
      })
      .meta({ description: "External sign-in." })
      .optional(),
  })
  .meta({ description: "What administrators set." });

export const forge = z
  .strictObject({
    domain: text("Public host. Default: forge. before the stack's domain.").optional(),
    version: text(`Version of the forge, 18.x. Default ${defaultVersion}.`).optional(),
    shellVersion: text("Version of the SSH server that belongs to it. Default: known for releases of 18.").optional(),
    edition: z.enum(Object.values(ForgeEdition)).meta({ description: "ee (default) or ce." }).optional(),
    ssh: z
      .strictObject({
        entryPoint: text("Traefik entry point of the TCP route; it must exist in Traefik's static configuration."),
        domain: text("Public host of git over SSH. Default: the forge's domain.").optional(),
        port: port("Public port. Default 22.").optional(),
        proxyProtocol: flag("Traefik sends the client's address by the PROXY protocol. Default true.").optional(),
      })
      .meta({ description: "Git over SSH. Default: git over HTTPS alone." })
      .optional(),
    pages: z
      .strictObject({
        domain: text("Sites are at *.<domain>. Default: pages. before the stack's domain.").optional(),
        replicas: count("Pods. Default 2 in production, 1 in development.").optional(),
        resources: resourceSpec("Of each pod.").optional(),
      })
      .meta({ description: "Static sites; needs ingress.wildcardClusterIssuer. Default none." })
      .optional(),
    runner: z
      .strictObject({
        jobNamespace: text("Namespace the jobs run in. Default: the stack's with -jobs.").optional(),
        concurrent: count("Jobs at once. Default 10.").optional(),
        defaultImage: text("Image of jobs that name none. Default docker.io/library/alpine:3.22.").optional(),
        tags: texts("Tags of the jobs it takes, beside those without tags.").optional(),
        version: text("Tag of the runner's image. Default: .0 of the forge's minor.").optional(),
        jobResources: resourceSpec("Of each job's container.").optional(),
      })
      .meta({ description: "Runner of CI jobs. Default none." })
      .optional(),
    administration: administration.optional(),
    backup: z
      .strictObject({
        schedule: text("When, five fields. Default 0 1 * * *.").optional(),
        keep: count("Archives kept. Default 7.").optional(),
        scratchSize: text("Room for an archive while it is made. Default 20Gi.").optional(),
      })
      .meta({ description: "Scheduled backups." })
      .optional(),
    replicas: z
      .strictObject({
        webservice: count("Web pods. Default 2, in development 1.").optional(),
        jobs: count("Pods of background jobs. Default 2 in production, 1 in development.").optional(),
        shell: count("SSH pods. Default 2 in production, 1 in development.").optional(),
        autoscaleFactor: count(
          "Most pods when busy, as a factor of these counts. Default 1: none are added.",
        ).optional(),
      })
      .meta({ description: "Pods." })
      .optional(),
    resources: z
      .strictObject({
        webservice: resourceSpec("Of each web container.").optional(),
        proxy: resourceSpec("Of each proxy sidecar.").optional(),
        jobs: resourceSpec("Of each pod of background jobs.").optional(),
        gitstore: resourceSpec("Of the git store.").optional(),
        shell: resourceSpec("Of each SSH pod.").optional(),
        toolbox: resourceSpec("Of the toolbox, migrations, backups and other Jobs.").optional(),
        runner: resourceSpec("Of the runner.").optional(),
      })
      .meta({ description: "Resources." })
      .optional(),
    repositorySize: text("Volume of the repositories; it grows in place. Default 50Gi.").optional(),
    maintenance: flag("No web and job pods: nothing writes. Default false.").optional(),
    downtime: flag("An upgrade may skip minors up to the next required stop. Default false.").optional(),
    networkPolicies: flag("Default-deny network policies with the edges the forge needs. Default false.").optional(),
  })
  .meta({ description: "The code-hosting platform. Default none." });

export const database = z
  .strictObject({
    version: text("PostgreSQL major. Default 16.").optional(),
    instances: count("2 is a primary and a standby, 1 has no failover. Default 2 in production.").optional(),
    storageSize: text("Volume of each instance. Default 10Gi.").optional(),
    resources: resourceSpec("Of each instance.").optional(),
    backupSchedule: text("When a base backup is taken: six fields, seconds first. Default 0 0 3 * * *.").optional(),
    backupRetention: text("How far back a recovery can go. Default 30d.").optional(),
    recover: recovery.optional(),
  })
  .meta({ description: "The database that forge and hub share." });

export const keystore = z
  .strictObject({
    version: text("Tag of the Valkey image. Default 8.1.4-alpine.").optional(),
    storageSize: text("Volume. Default 5Gi.").optional(),
    resources: resourceSpec("Of the pod.").optional(),
  })
  .meta({ description: "The keystore that forge and hub share." });
