import { ForgeSignInKind } from "../args.ts";
import {
  type ForgeConfiguration,
  ldapPasswordFile,
  type RailsProgram,
  secretsPath,
  signInFile,
} from "../configuration.ts";
import { fileContent, rubyString, rubyValue, type YamlMap } from "./erb.ts";

type SignOn = ForgeConfiguration["administration"]["signOn"];

/** Class of a protocol, which a provider with a name of its own has to say. (gitlabhq doc/integration/saml.md, doc/administration/auth/oidc.md) */
const strategies = {
  [ForgeSignInKind.openIdConnect]: "OmniAuth::Strategies::OpenIDConnect",
  [ForgeSignInKind.saml]: "OmniAuth::Strategies::SAML",
} as const;

/** `omniauth` of gitlab.yml: each provider's settings are a mounted YAML document. Who is not in `autoCreate` needs an account first. */
export function omniauth(program: RailsProgram, { administration }: ForgeConfiguration): YamlMap {
  const { providers, autoCreate } = administration.signOn;
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
  const { ldap: servers, autoCreate } = administration.signOn;
  if (servers.length === 0) return { enabled: false };
  return {
    enabled: true,
    servers: Object.fromEntries(
      servers.map((server) => [server.name, directory(program, server, autoCreate.includes(server.name))]),
    ),
  };
}

function directory(program: RailsProgram, server: SignOn["ldap"][number], autoCreate: boolean): YamlMap {
  return {
    label: server.label,
    host: server.host,
    port: server.port,
    uid: server.uid,
    encryption: server.encryption,
    verify_certificates: true,
    active_directory: server.activeDirectory,
    base: server.base,
    user_filter: server.userFilter,
    block_auto_created_users: !autoCreate,
    bind_dn: server.bindDn,
    password: server.password && fileContent(`${secretsPath(program)}/${ldapPasswordFile(server.name)}`),
  };
}

/** Ruby that reads a provider's document and puts name and label in it. */
function providerDocument(program: RailsProgram, { name, kind, label }: SignOn["providers"][number]): string {
  const document = `YAML.load_file(${rubyString(`${secretsPath(program)}/${signInFile(name)}`)})`;
  const named = `'name' => ${rubyString(name)}, 'label' => ${rubyString(label)}`;
  if (name === kind) return `${document}.merge(${named})`;
  const strategy = `{ 'name' => ${rubyString(name)}, 'strategy_class' => ${rubyString(strategies[kind])} }`;
  return `${document}.then { |provider| provider.merge(${named}, 'args' => provider.fetch('args', {}).merge(${strategy})) }`;
}
