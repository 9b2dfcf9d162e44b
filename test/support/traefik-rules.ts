/** A route as an IngressRoute has it. */
export interface Route {
  readonly match: string;
  readonly priority?: number;
  readonly services?: readonly { readonly name: string }[];
}

/**
 * The service that Traefik 3 hands a request to: of the routes that match, the one of the highest priority. Knows the matchers the platform uses:
 * Host, HostRegexp, Path, PathPrefix and PathRegexp, joined by && and || with ! and parentheses. (traefik/traefik pkg/muxer/http)
 * @param path of the request, with or without a query
 * @throws Error for a matcher it does not know
 */
export function routedTo(routes: readonly Route[], host: string, path: string): string | undefined {
  const matching = routes.filter(({ match }) => matches(match, host, routingPath(path)));
  const priority = (route: Route) => route.priority ?? route.match.length;
  return matching.sort((a, b) => priority(b) - priority(a))[0]?.services?.[0]?.name;
}

/** What routes are compared with: no query, dots resolved, slashes single, all decoded but characters that would mean something else then. */
function routingPath(path: string): string {
  const decoded = (path.split("?")[0] ?? "").replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code;
  });
  const parts: string[] = [];
  for (const part of decoded.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const slash = decoded.endsWith("/") && parts.length > 0 ? "/" : "";
  return `/${parts.join("/")}${slash}`;
}

function matches(rule: string, host: string, path: string): boolean {
  const tokens = [...rule.matchAll(/\w+\(`[^`]*`\)|&&|\|\||[()]|\S/g)].map(([token]) => token);
  const any = (): boolean => {
    let result = all();
    while (tokens[0] === "||") {
      tokens.shift();
      result = all() || result;
    }
    return result;
  };
  const all = (): boolean => {
    let result = one();
    while (tokens[0] === "&&") {
      tokens.shift();
      result = one() && result;
    }
    return result;
  };
  const one = (): boolean => {
    const token = tokens.shift() ?? "";
    if (token === "!") return !one();
    if (token === "(") {
      const result = any();
      tokens.shift();
      return result;
    }
    const [, matcher, value = ""] = /^(\w+)\(`([^`]*)`\)$/.exec(token) ?? [];
    if (matcher === "Host") return host.toLowerCase() === value.toLowerCase();
    if (matcher === "HostRegexp") return new RegExp(value).test(host.toLowerCase());
    if (matcher === "Path") return path === value;
    if (matcher === "PathPrefix") return path.startsWith(value);
    if (matcher === "PathRegexp") return new RegExp(value).test(path);
    throw new Error(`${token || "The end"} in the rule ${rule} is no matcher that this test knows.`);
  };
  const result = any();
  if (tokens.length > 0) throw new Error(`${tokens.join(" ")} is left of the rule ${rule}.`);
  return result;
}
