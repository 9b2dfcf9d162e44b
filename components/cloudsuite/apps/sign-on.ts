import { rulesOn, within } from "../../core/arguments.ts";
import { error, type Problem, warning } from "../../core/problems.ts";
import { as, block, defaultsTo, filled, flag, optional, text, texts } from "../../core/schema.ts";
import { secretKey } from "../../core/secret-key-schema.ts";
import { secretName } from "../../core/secrets.ts";
import { clientOfProvider, issuerUrl, signOnScopes } from "../../core/sign-on-rules.ts";
import { dnsLabel, namespaceName } from "../../core/value-rules.ts";
import type { CloudSuiteSignOnArgs } from "../args.ts";
import { signOnConfiguration } from "../config/server.ts";
import type { ResolvedSuite } from "../schema.ts";
import { suiteNames } from "../suite-names.ts";
import { nextcloud, publicHostEdges, suiteApp } from "./app.ts";

const credentials = suiteNames.signOn;

/** Keys of a client's Secret, as the forge makes it too. */
export const clientKeys = { id: "client-id", secret: "client-secret" } as const;

/** Nextcloud's app that signs people on. */
const app = "user_oidc";

/** The longest id of a group in Nextcloud's database. (nextcloud/server lib/private/Group/Database.php) */
const longestGroup = 64;

const cloudSuiteApplication = block(
  "CloudSuiteApplicationArgs",
  "The client that a component `Forge` of the same program makes for the suite. Name that component in `dependsOn`.",
  {
    namespace: text("Namespace of the forge.", { rule: namespaceName }),
    secret: text("Secret with its id and secret, in the forge's namespace.", { rule: dnsLabel }),
  },
);

export const cloudSuiteSignOn = block(
  "CloudSuiteSignOnArgs",
  "Sign-on with an OpenID Connect provider. The suite's administrator keeps a password, at `/login?direct=1`.",
  {
    name: optional(text("Text of the sign-in button."), "host of the issuer"),
    identifier: defaultsTo(
      text("What the names of accounts and groups begin with: with `forge`, user 42 is `forge-42`. It never changes.", {
        rule: dnsLabel,
      }),
      "provider",
    ),
    issuer: text(
      "The provider's `issuer`, exactly as in its `/.well-known/openid-configuration`, e.g. `https://id.example.org`.",
      { rule: issuerUrl },
    ),
    clientId: optional(
      as(secretKey, "Secret key of the client's id, in the suite's namespace."),
      "none: needed without `application`",
    ),
    clientSecret: optional(
      as(secretKey, "Secret key of the client's secret, in the suite's namespace."),
      "none: needed without `application`",
    ),
    application: optional(
      as(cloudSuiteApplication, "The client, made by a forge of the same program."),
      "none: `clientId` and `clientSecret`",
    ),
    scopes: defaultsTo(texts("Scopes the suite asks for.", { rule: signOnScopes }), ["openid", "profile", "email"]),
    userClaim: defaultsTo(
      text("Claim that tells who somebody is. It must never change for a person, nor be given to another."),
      "sub",
    ),
    groupsClaim: defaultsTo(text("Claim of the ID token that holds the user's groups."), "groups"),
    groups: filled(
      texts(
        "Groups of the provider that the suite has too, in full, e.g. `team/design`: people enter and leave them at each sign-on. Their ids in the suite begin with the identifier.",
      ),
      "none: groups are the suite's own",
    ),
    onlyMembers: defaultsTo(flag("Only members of `groups` may sign on."), false),
    automatic: defaultsTo(flag("The sign-in page goes to the provider at once."), false),
    privateAddress: defaultsTo(
      flag(
        "The provider has a private address. Nextcloud then calls private addresses for its users too, e.g. for federated shares.",
      ),
      false,
    ),
    gitlabToken: optional(
      as(
        secretKey,
        "Secret key, in the suite's namespace, of a token of the provider, a GitLab, with the scope `read_user`. Every 15 minutes the suite asks with it which users GitLab has blocked or deleted, and disables their accounts.",
      ),
      "none: sessions and app passwords of a blocked user work until somebody disables the account",
    ),
  },
);

export const signOnArguments = optional(
  as(cloudSuiteSignOn, "Sign-on of all users but the administrator."),
  "none: accounts in the suite, which its administrator makes",
);

type SignOn = NonNullable<ResolvedSuite["signOn"]>;

/** Variables of the configuration Job. */
const variables = { clientId: "SIGN_ON_CLIENT_ID", clientSecret: "SIGN_ON_CLIENT_SECRET" } as const;

/** Sign-on with the company's accounts. */
export const signOn = suiteApp({
  key: "signOn",
  title: "sign-on",
  schema: signOnArguments,
  credentials,
  nextcloudApps: [app],
  // Somebody may have set it up by hand, and could not sign on any more.
  staysOn: true,
  rules: [
    within("signOn", client),
    within("signOn", rulesOn(cloudSuiteSignOn)(["groups", "identifier", "onlyMembers"], signOnGroupProblems)),
  ],
  parts: (args, own) => {
    const client = clientOf(args, own);
    return {
      objects: [],
      secrets: own.application ? [copyOf(args, own.application)] : [],
      copied: own.application ? [own.application.secret] : [],
      settings: { [app]: { allow_multiple_user_backends: own.automatic ? "0" : "1" } },
      suiteEnvironment: own.privateAddress ? [{ name: "NC_allow_local_remote_servers", value: "1" }] : [],
      suiteFiles: { "sign-on.config.php": signOnConfiguration(own) },
      variables: { [variables.clientId]: client.id, [variables.clientSecret]: client.secret },
      environment: { SIGN_ON: own.identifier, SIGN_ON_OPTIONS: providerOptions(own).join("\n") },
      edges: publicHostEdges(nextcloud, "Sign-on, at the provider's public host."),
    };
  },
});

/** The client's Secret of the suite's own, where the forge makes the client. */
function copyOf({ namespace }: ResolvedSuite, { namespace: from, secret }: NonNullable<SignOn["application"]>) {
  const copy = (key: string) => ({ copyOf: { namespace: from, name: secret, key } });
  return {
    name: credentials,
    namespace,
    data: { [clientKeys.id]: copy(clientKeys.id), [clientKeys.secret]: copy(clientKeys.secret) },
  };
}

function clientOf({ platform }: ResolvedSuite, { application, clientId, clientSecret }: SignOn) {
  const own = secretName(platform.secrets, credentials);
  const copied = { id: { name: own, key: clientKeys.id }, secret: { name: own, key: clientKeys.secret } };
  return application || !clientId || !clientSecret ? copied : { id: clientId, secret: clientSecret };
}

/**
 * Options of `occ user_oidc:provider` but for the client's: all of them, since one that is left out keeps its former value.
 * (nextcloud/user_oidc lib/Command/UpsertProvider.php)
 */
function providerOptions({
  identifier,
  issuer,
  scopes,
  userClaim,
  groupsClaim,
  groups,
  onlyMembers,
}: SignOn): string[] {
  const is = (on: boolean) => (on ? "1" : "0");
  const options = {
    discoveryuri: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
    endsessionendpointuri: "",
    postlogouturi: "",
    scope: scopes.join(" "),
    "unique-uid": "0",
    "mapping-uid": userClaim,
    "mapping-display-name": "name",
    "mapping-email": "email",
    // A claim that nobody sends: a quota that an administrator sets is not overwritten at the next sign-on.
    "mapping-quota": "hearth_none",
    "mapping-groups": groupsClaim,
    "group-provisioning": is(groups.length > 0),
    "group-whitelist-regex": groupExpression(identifier, groups, onlyMembers),
    "group-restrict-login-to-whitelist": is(onlyMembers),
    "check-bearer": "0",
    "bearer-provisioning": "0",
    "send-id-token-hint": "0",
    "entraid-group-names": "0",
    "resolve-nested-claims": "0",
  };
  return Object.entries(options).map(([name, value]) => `--${name}=${value}`);
}

/**
 * Matches these groups alone, so that nobody is taken out of another one, such as the administrators': as the provider names them, and
 * as the suite does. Where they decide who may sign on, only as the provider does: user_oidc looks at the names that the provider sends
 * in the same way, and whoever made a group `forge-team` there would be let in as a member of `team`.
 * (lib/Service/ProvisioningService.php, provisionUserGroups; lib/Controller/LoginController.php)
 */
export function groupExpression(identifier: string, groups: readonly string[], onlyMembers: boolean): string {
  if (groups.length === 0) return "";
  const names = groups.map((group) => group.replace(/[/\\^$.*+?()[\]{}|#-]/g, "\\$&"));
  const prefix = onlyMembers ? "" : `(?:${identifier}-)?`;
  // D: the end is the end, and not a line's.
  return `/^${prefix}(?:${names.join("|")})$/D`;
}

/** A client comes from one place. */
function client(values: unknown): Problem[] {
  const { application, clientId, clientSecret } = (values ?? {}) as Partial<CloudSuiteSignOnArgs>;
  if (values === undefined) return [];
  if (!application) return clientOfProvider({ clientId, clientSecret }, (key) => key, "suite's");
  return Object.entries({ clientId, clientSecret })
    .filter(([, value]) => value !== undefined)
    .map(([key]) =>
      error("sign-on", key, `${key} is for another provider, but the forge makes the client.`, "Remove it."),
    );
}

/** Groups that nobody could be in, and a sign-on for nobody. */
export function signOnGroupProblems({
  groups = [],
  identifier = "provider",
  onlyMembers = false,
}: Pick<CloudSuiteSignOnArgs, "groups" | "identifier" | "onlyMembers">): Problem[] {
  const most = longestGroup - identifier.length - 1;
  return [
    ...(onlyMembers && groups.length === 0
      ? [error("sign-on", "onlyMembers", "Nobody could sign on: there are no groups.", "Name them in `groups`.")]
      : []),
    ...(onlyMembers && groups.length > 1
      ? [
          warning(
            "sign-on",
            "onlyMembers",
            "Whoever leaves one of several groups at the provider, and is still in another, stays in the suite's group.",
            "Take them out of it in the suite, or name one group alone.",
          ),
        ]
      : []),
    ...groups.flatMap((group, index) => {
      const path = `groups[${index}]`;
      if (group === "" || group !== group.trim())
        return [
          error("group", path, "The value is not the name of a group.", "Write it in full, for example team/design."),
        ];
      return group.length > most
        ? [
            error(
              "group",
              path,
              `The name has ${group.length} characters, and Nextcloud takes ${most} beside the identifier.`,
              "Name a group with a shorter path.",
            ),
          ]
        : [];
    }),
  ];
}
