import { defaultOf } from "../../core/schema.ts";
import { type ForgeLdapArgs, type ForgeSignInArgs, ForgeSignInKind, type ForgeSignOnArgs } from "../args.ts";
import {
  type ForgeConfiguration,
  ldapPasswordFile,
  type RailsProgram,
  secretsPath,
  signInFile,
} from "../configuration.ts";
import { forgeLdap } from "../schema.ts";
import { fileContent, rubyString, rubyValue, type YamlMap } from "./erb.ts";

/** Class of a protocol, which a provider with a name of its own has to say. (gitlabhq doc/integration/saml.md, doc/administration/auth/oidc.md) */
const strategies = {
  [ForgeSignInKind.openIdConnect]: "OmniAuth::Strategies::OpenIDConnect",
  [ForgeSignInKind.saml]: "OmniAuth::Strategies::SAML",
} as const;

/** `omniauth` of gitlab.yml: each provider's settings are a mounted YAML document. Who is not in `autoCreate` needs an account first. */
export function omniauth(program: RailsProgram, { administration }: ForgeConfiguration): YamlMap {
  const { providers = [], autoCreate = [] } = administration.signOn ?? {};
  const created = providers.map(({ name }) => name).filter((name) => autoCreate.includes(name));
  return {
    enabled: providers.length > 0,
    allow_single_sign_on: created.length > 0 ? created : false,
    block_auto_created_users: false,
    providers: providers.map((provider) => rubyValue(providerDocument(program, provider))),
  };
}

/** `ldap` of gitlab.yml. Users of a directory that is not in `autoCreate` are made blocked, until an administrator lets them in. */
export function ldap(program: RailsProgram, { administration }: ForgeConfiguration): YamlMap {
  const { ldap: servers = [], autoCreate = [] }: ForgeSignOnArgs = administration.signOn ?? {};
  if (servers.length === 0) return { enabled: false };
  return {
    enabled: true,
    servers: Object.fromEntries(
      servers.map((server) => [server.name, directory(program, server, autoCreate.includes(server.name))]),
    ),
  };
}

function directory(program: RailsProgram, server: ForgeLdapArgs, autoCreate: boolean): YamlMap {
  return {
    label: server.label ?? defaultOf(forgeLdap.shape.label),
    host: server.host,
    port: server.port ?? defaultOf(forgeLdap.shape.port),
    uid: server.uid ?? defaultOf(forgeLdap.shape.uid),
    encryption: server.encryption ?? defaultOf(forgeLdap.shape.encryption),
    verify_certificates: true,
    active_directory: server.activeDirectory ?? defaultOf(forgeLdap.shape.activeDirectory),
    base: server.base,
    user_filter: server.userFilter,
    block_auto_created_users: !autoCreate,
    bind_dn: server.bindDn,
    password: server.password && fileContent(`${secretsPath(program)}/${ldapPasswordFile(server.name)}`),
  };
}

/** Ruby that reads a provider's document and puts name and label in it. */
function providerDocument(program: RailsProgram, { name, kind, label }: ForgeSignInArgs): string {
  const document = `YAML.load_file(${rubyString(`${secretsPath(program)}/${signInFile(name)}`)})`;
  const named = `'name' => ${rubyString(name)}, 'label' => ${rubyString(label ?? name)}`;
  if (name === kind) return `${document}.merge(${named})`;
  const strategy = `{ 'name' => ${rubyString(name)}, 'strategy_class' => ${rubyString(strategies[kind])} }`;
  return `${document}.then { |provider| provider.merge(${named}, 'args' => provider.fetch('args', {}).merge(${strategy})) }`;
}
