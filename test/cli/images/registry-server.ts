import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the registry does at the manifest of a repository. */
export type Problem = "hang" | "no-header" | "large" | "bad-digest" | "gone" | "forbidden" | "broken" | "reset";

/** How a registry behaves. */
export interface Behaviour {
  /** By a part of the repository's path. */
  readonly problems?: Readonly<Record<string, Problem>>;
  /** Asks for a token, as public registries do, or for the password itself. @default none of both */
  readonly signIn?: "token" | "password";
  /** Where tokens are had. @default the registry itself */
  readonly realm?: string;
  /** The right that its challenge names; empty: none. @default to pull the image */
  readonly scope?: string;
  /** Field of its answer that has the token. @default token */
  readonly tokenField?: string;
  /** base64 of the only name:password that is let in. @default everyone gets a token */
  readonly only?: string;
}

/** A registry on 127.0.0.1 that has every image; a manifest is the text of its repository and tag. */
export interface RegistryServer extends AsyncDisposable {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  /** Every request as `METHOD /path`. */
  readonly asked: readonly string[];
}

/** Digest of the manifest of `repository:tag`, without the host. */
export function digestFor(image: string): string {
  return `sha256:${createHash("sha256").update(image).digest("hex")}`;
}

export async function startRegistry(behaviour: Behaviour = {}): Promise<RegistryServer> {
  const { problems = {}, signIn, only, realm, tokenField = "token" } = behaviour;
  const asked: string[] = [];
  const server = createServer(({ method, url = "", headers }, response) => {
    asked.push(`${method} ${url}`);
    const { pathname, searchParams } = new URL(url, "http://registry");
    const basic = headers.authorization?.replace("Basic ", "");
    const letIn = only === undefined || basic === only;
    if (pathname === "/token") {
      if (searchParams.get("service") !== "tests") return answer(response, 400);
      return letIn ? json(response, { [tokenField]: `for ${searchParams.get("scope")}` }) : answer(response, 401);
    }
    const [, repository = "", tag] = /^\/v2\/(.+)\/manifests\/(.+)$/.exec(pathname) ?? [];
    const needed = `repository:${repository}:pull`;
    const scope = behaviour.scope ?? needed;
    if (signIn === "token" && headers.authorization !== `Bearer for ${scope || needed}`)
      return answer(response, 401, {
        "www-authenticate": `Bearer realm="${realm ?? `http://${headers.host}/token`}",service="tests"${scope && `,scope="${scope}"`}`,
      });
    if (signIn === "password" && !letIn) return answer(response, 401, { "www-authenticate": 'Basic realm="tests"' });
    if (!headers.accept?.includes("application/vnd.oci.image.index.v1+json")) return answer(response, 406);
    const problem = Object.entries(problems).find(([part]) => repository.includes(part))?.[1];
    if (problem === "hang") return;
    if (problem === "reset") return void response.destroy();
    if (problem === "gone") return answer(response, 404);
    if (problem === "forbidden") return answer(response, 403);
    if (problem === "broken") return answer(response, 503);
    // One byte more than the largest manifest.
    if (problem === "large") return void response.writeHead(200).end("x".repeat(4 * 1024 * 1024 + 1));
    const image = `${repository}:${tag}`;
    const digest = problem === "bad-digest" ? "sha256:0" : digestFor(image);
    response.writeHead(200, problem === "no-header" ? {} : { "docker-content-digest": digest }).end(image);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, headers).end();
}

function json(response: ServerResponse, content: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(content));
}
