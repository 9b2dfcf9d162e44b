import { Agent } from "node:https";
import type { Clock } from "../clock.ts";
import { type Attempt, attempt } from "../http-attempt.ts";
import type { SiteName } from "../site-name.ts";
import type { PatchAnswer, SitePatch } from "../site-syncs.ts";
import { judgeAnswer } from "./answer.ts";
import type { ClusterCredentials } from "./credentials.ts";

/** Where the StaticSites are. */
export interface SiteApi {
  readonly host: string;
  readonly port: number;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Domain of the annotation `<annotationDomain>/sync`. */
  readonly annotationDomain: string;
}

/** Called once for each request sent: the status of its answer, or the fault's name. */
export type ObserveRequest = (code: string, seconds: number) => void;

const connectWithin = 1_000;
const headersWithin = 2_000;
const totalWithin = 3_000;
/** Below the time after which API servers and load balancers close an idle connection. */
const idleSocket = 30_000;

const sitePath = /^\/apis\/[a-z0-9.-]+\/v[a-z0-9]+\/namespaces\/[a-z0-9-]{1,63}\/[a-z0-9]+\/[a-z0-9.-]{1,253}$/;

/** Writes sync annotations with one verb on one resource: a merge patch that has no precondition. */
export class SiteClient {
  readonly #api: SiteApi;
  readonly #credentials: ClusterCredentials;
  readonly #clock: Clock;
  readonly #sockets: number;
  readonly #observe: ObserveRequest;
  #agent: { readonly ca: string; readonly agent: Agent } | undefined;

  /** @param sockets - most connections to the API server */
  constructor(api: SiteApi, credentials: ClusterCredentials, clock: Clock, sockets: number, observe: ObserveRequest) {
    this.#api = api;
    this.#credentials = credentials;
    this.#clock = clock;
    this.#sockets = sockets;
    this.#observe = observe;
  }

  /** Writes the annotation, with at most one retry inside `deadline`. Never rejects. */
  async patch(patch: SitePatch): Promise<PatchAnswer> {
    const deadline = Math.min(patch.deadline, this.#clock.elapsed() + totalWithin);
    const first = await this.#send(patch, deadline);
    const answer = this.#judge(first, patch);
    if (!(await this.#mayRetry(first))) return answer;
    return deadline - this.#clock.elapsed() > 0 ? this.#judge(await this.#send(patch, deadline), patch) : answer;
  }

  /** Closes connections that are not in use. */
  close(): void {
    if (this.#agent) closeIdle(this.#agent.agent);
  }

  /** Whether another try can succeed; makes ready for it. A patch may be sent twice: the second changes nothing. */
  async #mayRetry(first: Attempt | Error): Promise<boolean> {
    if (first instanceof Error) return false;
    if ("status" in first) {
      if (first.status === 401) await this.#credentials.reread();
      return first.status === 401 || first.status === 409;
    }
    if (first.fault === "untrusted") await this.#credentials.reread();
    // When one kept connection is dead, as after a restart of the API server, the others are too.
    if (first.fault === "reset" && this.#agent) closeIdle(this.#agent.agent);
    return first.fault === "untrusted" || first.fault === "reset" || first.fault === "unsent";
  }

  async #send(patch: SitePatch, deadline: number): Promise<Attempt | Error> {
    const begun = this.#clock.elapsed();
    try {
      const { token, ca } = await this.#credentials.current();
      const body = JSON.stringify({ metadata: { annotations: { [this.#annotation]: String(patch.value) } } });
      const answer = await attempt(
        {
          agent: this.#agentFor(ca),
          host: this.#api.host,
          port: this.#api.port,
          method: "PATCH",
          path: this.#path(patch.site, patch.dryRun),
          headers: {
            authorization: `Bearer ${token}`,
            accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
            "content-type": "application/merge-patch+json",
            "content-length": Buffer.byteLength(body),
            "user-agent": "hearth-site-webhook",
          },
        },
        body,
        { connect: connectWithin, headers: headersWithin, total: Math.max(1, deadline - begun) },
      );
      this.#observe("status" in answer ? String(answer.status) : answer.fault, (this.#clock.elapsed() - begun) / 1000);
      return answer;
    } catch (fault) {
      return fault instanceof Error ? fault : new Error(String(fault));
    }
  }

  #judge(answer: Attempt | Error, patch: SitePatch): PatchAnswer {
    if (answer instanceof Error) return { outcome: "failed", reason: "credentials" };
    if ("fault" in answer) return { outcome: "failed", reason: answer.fault };
    return judgeAnswer(
      answer.status,
      answer.body.toString("utf8"),
      patch.site.name,
      this.#annotation,
      String(patch.value),
    );
  }

  get #annotation(): string {
    return `${this.#api.annotationDomain}/sync`;
  }

  #path(site: SiteName, dryRun: boolean): string {
    const { group, version, plural } = this.#api;
    const namespace = encodeURIComponent(site.namespace);
    const path = `/apis/${group}/${version}/namespaces/${namespace}/${plural}/${encodeURIComponent(site.name)}`;
    if (!sitePath.test(path)) throw new Error("not a path of a StaticSite");
    return `${path}?fieldManager=hearth-site-webhook&fieldValidation=Strict${dryRun ? "&dryRun=All" : ""}`;
  }

  #agentFor(ca: string): Agent {
    if (this.#agent?.ca === ca) return this.#agent.agent;
    const old = this.#agent?.agent;
    const agent = new ApiAgent({
      ca,
      keepAlive: true,
      maxSockets: this.#sockets,
      maxFreeSockets: this.#sockets,
      timeout: idleSocket,
      minVersion: "TLSv1.2",
    });
    this.#agent = { ca, agent };
    if (old) {
      old.maxFreeSockets = 0;
      closeIdle(old);
    }
    return agent;
  }
}

/** All its connections are alike. Node's own name for them has the CA in it, put together and looked up for each request. */
class ApiAgent extends Agent {
  override getName(): string {
    return "api";
  }
}

function closeIdle(agent: Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of [...(sockets ?? [])]) socket.destroy();
  }
}
