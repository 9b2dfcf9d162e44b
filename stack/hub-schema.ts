import { HubAccess, HubRegistryRoute } from "@hearth-platform/hearth/hub/args";
import { proxyCacheKinds } from "@hearth-platform/hearth/hub/proxy-caches";
import { z } from "zod";
import { count, flag, resourceSpec, secretKey, text, texts } from "./schema-parts.ts";

/** Who the hub's users sign on with. */
export const HubSignOnSource = { forge: "forge", provider: "provider", local: "local" } as const;

const schedule = (description: string) => text(description, ["0 0 3 * * 0"]).optional();

const retentionRule = z.strictObject({
  repositories: text("Repositories it is about. Default **, all.").optional(),
  tags: text("Tags it is about. Default **, all.").optional(),
  latestPushed: count("Keeps so many that were pushed last.").optional(),
  latestPulled: count("Keeps so many that were pulled last.").optional(),
  pushedWithinDays: count("Keeps what was pushed within so many days.").optional(),
  pulledWithinDays: count("Keeps what was pulled within so many days.").optional(),
});

const project = z.strictObject({
  name: text("Name, the first part of its images' names."),
  public: flag("Everybody may pull. Default false.").optional(),
  storageQuota: text("Most it may hold. Default: the hub's.", ["50Gi"]).optional(),
  retention: z
    .strictObject({
      schedule: schedule("When: six fields, seconds first. Default 0 0 1 * * *."),
      rules: z.array(retentionRule).meta({ description: "What stays; one count each." }),
    })
    .meta({ description: "Deletes old images. Default none." })
    .optional(),
  proxyCache: z
    .strictObject({
      kind: text(`Kind of registry: ${proxyCacheKinds.join(", ")}.`, ["docker-hub"]),
      url: text("Its URL.", ["https://hub.docker.com"]),
      user: text("User that signs in there; needs password. Default: anonymous.").optional(),
      password: secretKey("Where its password is, in the stack's namespace.").optional(),
    })
    .meta({ description: "Makes it a cache of another registry. Default none." })
    .optional(),
});

const robot = z.strictObject({
  name: text("Name; it signs in as robot$<name>, with the password in the Secret hub-robot-<name>."),
  projects: texts("Projects it may use, or * for all."),
  access: z.enum(Object.values(HubAccess)).meta({ description: "pull (default) or push." }).optional(),
});

export const hub = z
  .strictObject({
    domain: text("Public host. Default: hub. before the stack's domain.").optional(),
    version: text("Version of the hub, 2.x. Default 2.14.3.").optional(),
    signOn: z
      .strictObject({
        with: z.enum(Object.values(HubSignOnSource)).meta({
          description: "forge (default where the stack has one), provider or local (default without a forge).",
        }),
        name: text("Name on the sign-in button. Default: host of the issuer.").optional(),
        issuer: text(
          "The provider as it names itself, to the letter: issuer in its /.well-known/openid-configuration; with provider.",
        ).optional(),
        clientId: secretKey("Where the client's id is; with provider.").optional(),
        clientSecret: secretKey("Where the client's secret is; with provider.").optional(),
        scopes: texts("Scopes asked for. Default openid, profile, email.").optional(),
        userClaim: text("Claim of the user's name. Default preferred_username.").optional(),
        groupsClaim: text("Claim of the user's groups. Default groups.").optional(),
        adminGroup: text("Members of this group administer the hub. Default none.").optional(),
        groupFilter: text("Regular expression of the groups taken over. Default all.").optional(),
      })
      .meta({ description: "Sign-on." })
      .optional(),
    storageQuota: text("Most a project may hold. Default no limit.", ["100Gi"]).optional(),
    projects: z.array(project).meta({ description: "Projects. One that leaves stays in the hub." }).optional(),
    robots: z.array(robot).meta({ description: "Accounts for machines. One that leaves is deleted." }).optional(),
    garbageCollection: z
      .strictObject({
        schedule: schedule("When: six fields, seconds first. Default 0 0 3 * * 0."),
        deleteUntagged: flag("Images without a tag are deleted first. Default false.").optional(),
      })
      .meta({ description: "Collection of layers that no image has any more." })
      .optional(),
    redirect: flag("Clients fetch layers from the object store itself. Default false.").optional(),
    registryRoute: z
      .enum(Object.values(HubRegistryRoute))
      .meta({ description: "Where public requests of the registry API go: core (default) or registry." })
      .optional(),
    networkPolicies: flag(
      "Default-deny network policies with the edges the hub needs, in a stack without a forge; else they are the forge's option. Default false.",
    ).optional(),
    jobImage: text("Image with Node 24 that applies these settings. Default docker.io/library/node.").optional(),
    replicas: z
      .strictObject({
        core: count("Core pods. Default 2 in production, 1 in development.").optional(),
        registry: count("Registry pods. Default 2 in production, 1 in development.").optional(),
        jobservice: count("Pods of background jobs. Default 1.").optional(),
        portal: count("Web UI pods. Default 2 in production, 1 in development.").optional(),
      })
      .meta({ description: "Pods." })
      .optional(),
    resources: z
      .strictObject({
        core: resourceSpec("Of each core pod.").optional(),
        registry: resourceSpec("Of each registry container.").optional(),
        registryController: resourceSpec("Of each registry's controller.").optional(),
        jobservice: resourceSpec("Of each pod of background jobs.").optional(),
        portal: resourceSpec("Of each web UI pod.").optional(),
        jobs: resourceSpec("Of migrations and settings Jobs.").optional(),
      })
      .meta({ description: "Resources." })
      .optional(),
  })
  .meta({ description: "The image registry. Default none." });
