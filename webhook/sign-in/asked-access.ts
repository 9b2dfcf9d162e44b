/** What is asked of the token endpoint. (distribution/distribution docs/spec/auth/scope) */
export interface AskedAccess {
  readonly type: string;
  readonly actions: readonly string[];
}

/** The scopes of a query, split as core splits them: by spaces, and at the first and the last colon; the name between them matters to nobody here. */
export function askedAccess(query: URLSearchParams): AskedAccess[] {
  return query
    .getAll("scope")
    .flatMap((scopes) => scopes.split(" "))
    .filter((scope) => scope !== "")
    .map((scope) => {
      const [type = "", ...rest] = scope.split(":");
      const actions = rest.length > 1 ? (rest.pop() ?? "") : "";
      return { type, actions: actions.split(",").filter((action) => action !== "") };
    });
}

/** The forge's scope that the access takes: what only reads takes less. */
export function neededScope(access: readonly AskedAccess[]): "read_api" | "api" {
  const reads = ({ type, actions }: AskedAccess) => type === "registry" || actions.every((action) => action === "pull");
  return access.every(reads) ? "read_api" : "api";
}
