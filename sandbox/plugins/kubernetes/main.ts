/**
 * Stands in for the official `kubernetes` provider plugin where that can't be downloaded: the unchanged
 * @pulumi/kubernetes SDK and the real engine work with it against a real API server.
 *
 * As the official one it creates objects that must not exist, updates by server-side apply under a field manager of its
 * own, asks the server for previews, replaces on the same immutable fields, waits for the same kinds and `pulumi.com/*`
 * annotations, marks Secrets' values, and reads objects for refresh and import.
 *
 * Not simulated: the official provider's comparison of Kubernetes' own kinds in their typed form (here inputs
 * are compared with inputs, after normalize.ts), client-side apply, rendering to YAML, Helm, Kustomize and YAML
 * resources, functions, deprecation warnings, sign-in by another program, strict mode, `PULUMI_K8S_AWAIT_ALL`, and the
 * ten seconds it gives a Service's endpoints to settle. It is stricter in two things: unknown fields are errors, where
 * the official one lets the server drop them, and a wrong `pulumi.com/waitFor` is found before anything is made. It is
 * more patient in one: a server that goes away is waited for, and a create that it cut off is looked up.
 */
import type { ProviderImplementation } from "../grpc.ts";
import { serveProvider } from "../serve.ts";
import { check } from "./check.ts";
import { create } from "./create.ts";
import { deleteObject } from "./delete.ts";
import { diff } from "./diff.ts";
import { diffConfig } from "./diff-config.ts";
import { read } from "./read.ts";
import { openSession, type Session } from "./session.ts";
import { update } from "./update.ts";

/** The provider, for {@link serveProvider} and its tests. */
export function kubernetesProvider(): ProviderImplementation {
  const cancellation = new AbortController();
  let session: Session | undefined;
  const configured = <Request, Result>(operation: (session: Session, request: Request) => Promise<Result>) => {
    return async (request: Request): Promise<Result> => {
      if (!session) throw new Error("the kubernetes provider is used before it is configured");
      return operation(session, request);
    };
  };
  return {
    name: "kubernetes",
    version: "4.34.2",
    diffConfig: async ({ oldInputs, oldState, news }) =>
      diffConfig(Object.keys(oldInputs).length > 0 ? oldInputs : oldState, news),
    configure: async (request) => {
      session = await openSession(request, cancellation.signal);
    },
    check: configured(check),
    diff: configured(diff),
    create: configured(create),
    read: configured(read),
    update: configured(update),
    delete: configured(deleteObject),
    cancel: () => cancellation.abort(new Error("the operation was cancelled")),
    close: () => void session?.cluster?.api.close(),
  };
}

if (import.meta.main) await serveProvider(kubernetesProvider);
