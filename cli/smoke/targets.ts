import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { administratorKeys } from "@hearth-platform/hearth/cloudsuite/secrets";
import { suiteNames } from "@hearth-platform/hearth/cloudsuite/suite-names";
import { resolve } from "@hearth-platform/hearth/core/resolve";
import { secretName } from "@hearth-platform/hearth/core/secrets";
import type { ForgeArgs } from "@hearth-platform/hearth/forge/args";
import { forgeSsh } from "@hearth-platform/hearth/forge/schema";
import type { HubArgs } from "@hearth-platform/hearth/hub/args";
import { hubNames } from "@hearth-platform/hearth/hub/hub-names";
import { accountKeys } from "@hearth-platform/hearth/hub/secrets";
import type { SiteWebhookArgs } from "@hearth-platform/hearth/site-webhook/args";
import { type StackPart, stackParts } from "@hearth-platform/stack/parts";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import {
  collaboraRequests,
  davRequests,
  forgeRequests,
  hubRequests,
  onlyofficeRequests,
  type PublicRequest,
  pagesRequests,
  pushRequests,
  suiteRequests,
  webhookRequests,
  whiteboardRequests,
} from "./requests.ts";

/** A public host of a stack, and what is asked of it. */
export interface Target {
  /** A DNS name. */
  readonly host: string;
  readonly requests: readonly PublicRequest[];
  /** HTTP is sent to HTTPS. */
  readonly redirects: boolean;
  /** The Secret with the administrator's name and password. */
  readonly account?: Account;
}

/** A Secret with a name and a password, and their keys. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
  readonly keys: { readonly user: string; readonly password: string };
}

/** Where git is reached by SSH. */
export interface SshTarget {
  readonly host: string;
  readonly port: number;
}

/** A site that nobody has. */
const noSite = "hearth-smoke";

/** The public hosts of a stack, in the order of creation. */
export function smokeTargets(stack: Stack): Target[] {
  return stackParts(stack).flatMap((part) => targetsOf[part.kind]?.(part, stack) ?? []);
}

/** The forge's SSH; undefined where the stack has none. */
export function sshTarget(stack: Stack): SshTarget | undefined {
  const { domain = "", ssh } = forgeOf(stack) ?? {};
  return ssh && { host: ssh.domain ?? domain, port: resolve(forgeSsh.shape.port, ssh.port) };
}

/** Domain below which the stack's static sites have their hosts; undefined where it has none. */
export function sitesDomain(stack: Stack): string | undefined {
  return forgeOf(stack)?.pages?.domain;
}

function forgeOf(stack: Stack): ForgeArgs | undefined {
  return stackParts(stack).find(({ kind }) => kind === "forge")?.args as ForgeArgs | undefined;
}

const target = (host: string, requests: readonly PublicRequest[], more: Partial<Target> = {}): Target => ({
  ...{ host, requests, redirects: true },
  ...more,
});

const targetsOf: Readonly<Partial<Record<StackPart["kind"], (part: StackPart, stack: Stack) => Target[]>>> = {
  forge: ({ args }) => {
    const { domain, pages } = args as ForgeArgs;
    return [target(domain, forgeRequests), ...(pages ? [target(`${noSite}.${pages.domain}`, pagesRequests)] : [])];
  },
  hub: ({ args }, { settings }) => {
    const { domain, namespace } = args as HubArgs;
    const account = { namespace, name: secretName(settings.secrets, hubNames.administrator), keys: accountKeys };
    return [target(domain, hubRequests, { account })];
  },
  suites: ({ args }, { settings }) => {
    const { domain, namespace, office, whiteboard, push } = args as CloudSuiteArgs;
    const name = secretName(settings.secrets, suiteNames.administrator);
    const requests = [
      ...suiteRequests,
      ...davRequests,
      ...(whiteboard ? whiteboardRequests : []),
      ...(push?.enabled ? pushRequests : []),
    ];
    return [
      target(domain, requests, { account: { namespace, name, keys: administratorKeys } }),
      ...(office
        ? [target(office.domain, office.engine === "onlyoffice" ? onlyofficeRequests : collaboraRequests)]
        : []),
    ];
  },
  siteWebhook: ({ args }) => {
    const { domain } = args as SiteWebhookArgs;
    return domain === undefined ? [] : [target(domain, webhookRequests, { redirects: false })];
  },
};
