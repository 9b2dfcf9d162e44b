/**
 * The hub's API as far as settings go. Its shapes are compared with the description in Harbor's Go client at every exchange
 * (`test/support/hub-api.ts`), its rules were read from goharbor/harbor v2.14.3 src/server/v2.0/handler (project, registry, quota,
 * retention, robot, gc, purge) and what these call, and a run of the settings Job against that release left the same behind.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type * as Api from "@hearth-platform/hearth/hub/generated/hub-api";
import { apiProblems } from "../../../support/hub-api.ts";

type Held<Type> = Type & { id: number };
interface Project extends Api.Project {
  project_id: number;
  name: string;
  metadata: Api.ProjectMetadata;
}
interface Quota {
  id: number;
  ref: { id: number };
  hard: Api.ResourceList;
}

/** A refusal as the hub words it. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Call {
  readonly account: string;
  readonly id: number;
  readonly name: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}
/** Status and body of an answer. */
type Answer = readonly [status: number, body?: unknown];

/** A hub for the settings Job. */
export class FakeHub {
  readonly robots: Held<Api.Robot>[] = [];
  readonly projects: Project[] = [];
  readonly registries: Held<Api.Registry>[] = [];
  readonly quotas: Quota[] = [];
  readonly retentions: Held<Api.RetentionPolicy>[] = [];
  schedule?: Api.Schedule;
  /** The purge of the audit log. */
  purge?: Api.Schedule;
  /** `METHOD /path` of every request that may change something. */
  readonly writes: string[] = [];
  /** What went over the wire otherwise than the published API says. */
  readonly problems: string[] = [];
  /** Pings that are answered with 503 yet. */
  starting = 0;
  /** Hosts of registries elsewhere that don't answer. */
  readonly unreachable = new Set<string>();
  #id = 0;
  readonly #server: Server;
  readonly #password: string;

  static async start(password: string): Promise<FakeHub> {
    const hub = new FakeHub(password);
    await new Promise<void>((resolve) => hub.#server.listen(0, "127.0.0.1", resolve));
    return hub;
  }

  private constructor(password: string) {
    this.#password = password;
    // What the first migration leaves.
    const id = this.#add(this.projects, { project_id: ++this.#id, name: "library", metadata: { public: "true" } });
    this.quotas.push({ id: ++this.#id, ref: { id: id.project_id }, hard: { storage: -1 } });
    this.#server = createServer(async (request, response) => {
      const path = new URL(request.url ?? "", this.url).pathname.slice("/api/v2.0".length);
      const method = request.method ?? "";
      const body = request.headers["content-length"] ? await json(request) : undefined;
      const [status, answer] = await this.#answer(request, path, body).catch((error): Answer => {
        if (!(error instanceof Refusal)) this.problems.push(String(error.stack));
        return [error instanceof Refusal ? error.status : 500, { errors: [{ code: "FAKE", message: error.message }] }];
      });
      this.problems.push(...apiProblems({ method, path, body, status, ...(status < 300 && { answer }) }));
      response.statusCode = status;
      response.end(answer === undefined ? undefined : JSON.stringify(answer));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, path: string, body: unknown): Promise<Answer> {
    const parts = path.slice(1).split("/");
    if (path === "/ping") {
      if (this.starting-- > 0) throw new Refusal(503, "starting");
      return [200, "Pong"];
    }
    const account = this.#account(request.headers.authorization);
    if (account === undefined) throw new Refusal(401, "unauthorized");
    if (request.method !== "GET") this.writes.push(`${request.method} ${path}`);
    const byName = parts[0] === "projects" && parts[1] !== undefined;
    const shape = byName ? "projects/#" : parts.map((part) => (/^\d+$/.test(part) ? "#" : part)).join("/");
    const route = this.#routes[`${request.method} ${shape}`];
    if (!route) throw new Refusal(404, `path ${path} was not found`);
    const query = new URL(request.url ?? "", this.url).searchParams;
    const id = Number(parts.find((part) => /^\d+$/.test(part)));
    return route({ account, id, name: decodeURIComponent(parts[1] ?? ""), query, body });
  }

  /** Who signs in: the administrator, or a robot that is in force. */
  #account(authorization = ""): string | undefined {
    const [, name = "", password] = /^(.*?):(.*)$/.exec(atob(authorization.replace("Basic ", ""))) ?? [];
    if (name === "admin" && password === this.#password) return name;
    const robot = this.robots.find((each) => each.name === name);
    return robot && !robot.disable && robot.secret === password ? name : undefined;
  }

  readonly #routes: Readonly<Record<string, (call: Call) => Answer>> = {
    "GET users/current": ({ account }) => [200, { user_id: 1, username: account, sysadmin_flag: true }],
    // Without a schedule the answer has no body.
    "GET system/gc/schedule": () => [
      200,
      this.schedule && {
        schedule: this.schedule.schedule,
        job_parameters: JSON.stringify({
          ...this.schedule.parameters,
          redis_url_reg: "redis://keystore",
          time_window: 2,
        }),
      },
    ],
    "POST system/gc/schedule": ({ body }) => this.#setSchedule(body as Api.Schedule, 201),
    "PUT system/gc/schedule": ({ body }) => this.#setSchedule(body as Api.Schedule, 200),
    "GET system/purgeaudit/schedule": () => [
      200,
      this.purge && {
        schedule: { ...this.purge.schedule, next_scheduled_time: "2026-01-01T00:00:00.000Z" },
        job_parameters: JSON.stringify(this.purge.parameters),
      },
    ],
    "POST system/purgeaudit/schedule": ({ body }) => this.#setPurge(body as Api.Schedule, 201),
    "PUT system/purgeaudit/schedule": ({ body }) => this.#setPurge(body as Api.Schedule, 200),
    "POST projects": ({ body }) => this.#makeProject(body as Api.ProjectReq),
    "GET projects/#": ({ name }) => [200, this.#project(name)],
    "PUT projects/#": ({ name, body }) => {
      Object.assign(this.#project(name).metadata, (body as Api.ProjectReq).metadata);
      return [200];
    },
    "GET quotas": ({ query }) => [200, this.quotas.filter(({ ref }) => ref.id === Number(query.get("reference_id")))],
    "PUT quotas/#": ({ id, body }) => {
      this.#find(this.quotas, id).hard = (body as Required<Api.QuotaUpdateReq>).hard;
      return [200];
    },
    "GET registries": ({ query }) => [200, page(this.registries, query).map(masked)],
    "GET registries/#": ({ id }) => [200, masked(this.#find(this.registries, id))],
    "POST registries": ({ body }) => this.#makeRegistry(body as Api.Registry),
    "PUT registries/#": ({ id, body }) => this.#changeRegistry(id, body as Api.RegistryUpdate),
    "DELETE registries/#": ({ id }) => {
      const used = this.projects.some(({ registry_id }) => registry_id === id);
      if (used) throw new Refusal(412, `the registry ${id} is referenced by proxy cache project, cannot delete it`);
      return this.#remove(this.registries, id);
    },
    "GET retentions/#": ({ id }) => {
      const { trigger, ...rest } = this.#find(this.retentions, id);
      const settings = { ...(trigger?.settings as object), next_scheduled_time: "2026-01-01T00:00:00.000Z" };
      return [200, { ...rest, trigger: { ...trigger, settings } }];
    },
    "POST retentions": ({ body }) => this.#makeRetention(body as Api.RetentionPolicy),
    "PUT retentions/#": ({ id, body }) => {
      this.#checkRetention(body as Api.RetentionPolicy);
      Object.assign(this.#find(this.retentions, id), body);
      return [200];
    },
    "DELETE retentions/#": ({ id }) => {
      const ref = this.#find(this.retentions, id).scope?.ref;
      delete this.projects.find(({ project_id }) => project_id === ref)?.metadata.retention_id;
      return this.#remove(this.retentions, id);
    },
    "GET robots": ({ query }) => [200, page(this.robots, query).map(shown)],
    "GET robots/#": ({ account, id }) => {
      const robot = this.#find(this.robots, id);
      if (account !== "admin") throw new Refusal(403, "forbidden");
      return [200, shown(robot)];
    },
    "POST robots": ({ body }) => this.#makeRobot(body as Api.RobotCreate),
    "PUT robots/#": ({ id, body }) => this.#changeRobot(this.#find(this.robots, id), body as Api.Robot),
    "PATCH robots/#": ({ id, body }) => {
      const { secret = "" } = body as Api.RobotSec;
      if (!/^(?=.*[A-Z])(?=.*[a-z])(?=.*\d).{8,128}$/.test(secret))
        throw new Refusal(400, "the secret must be 8-128, inclusively, characters long");
      this.#find(this.robots, id).secret = secret;
      return [200, {}];
    },
    "DELETE robots/#": ({ id }) => this.#remove(this.robots, id),
  };

  #setSchedule(schedule: Api.Schedule, status: number): Answer {
    checkCron(schedule.schedule?.cron);
    this.schedule = schedule;
    return [status];
  }

  #setPurge(purge: Api.Schedule, status: number): Answer {
    const { audit_retention_hour: hours, include_event_types: types } = purge.parameters ?? {};
    if (hours === undefined) throw new Refusal(400, "audit_retention_hour should provide");
    if (Number(hours) > 240_000) throw new Refusal(400, "audit_retention_hour should be less than 240000");
    if (types === undefined) throw new Refusal(400, "include_event_types should provide");
    const none = purge.schedule?.type === "None";
    if (!none) checkCron(purge.schedule?.cron);
    this.purge = none ? undefined : purge;
    return [status];
  }

  #project(name: string): Project {
    const project = this.projects.find((other) => other.name === name);
    if (!project) throw new Refusal(404, `project ${name} not found`);
    return project;
  }

  #makeProject({ project_name: name = "", metadata, storage_limit, registry_id }: Api.ProjectReq): Answer {
    if (registry_id) this.#find(this.registries, registry_id);
    if (this.projects.some((project) => project.name === name))
      throw new Refusal(409, `The project named ${name} already exists`);
    if (!/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(name)) throw new Refusal(400, "project name is not in lower case");
    const cache = registry_id ? { registry_id } : {};
    const project: Project = { project_id: ++this.#id, name, metadata: { ...metadata }, ...cache };
    this.projects.push(project);
    this.quotas.push({ id: ++this.#id, ref: { id: project.project_id }, hard: { storage: storage_limit || -1 } });
    // A cache gets a policy of seven days by itself.
    if (registry_id) this.#makeRetention(sevenDays(project.project_id));
    return [201];
  }

  #makeRegistry(registry: Api.Registry): Answer {
    if ((registry.name?.length ?? 0) > 64) throw new Refusal(400, "the max length of name is 64");
    this.#reach(registry.url);
    if (this.registries.some(({ name }) => name === registry.name))
      throw new Refusal(409, `registry ${registry.name} exists`);
    this.registries.push({ ...registry, url: registry.url?.replace(/\/+$/, ""), id: ++this.#id });
    return [201];
  }

  #changeRegistry(id: number, { url, description, ...credential }: Api.RegistryUpdate): Answer {
    const registry = this.#find(this.registries, id);
    this.#reach(url ?? registry.url);
    Object.assign(registry, {
      url: url?.replace(/\/+$/, "") ?? registry.url,
      description: description ?? registry.description,
      // Without a user there is none.
      credential: credential.access_key
        ? {
            type: credential.credential_type,
            access_key: credential.access_key,
            access_secret: credential.access_secret,
          }
        : {},
    });
    return [200];
  }

  /** The hub takes no registry that does not answer. */
  #reach(url = ""): void {
    if (this.unreachable.has(new URL(url).host)) throw new Refusal(400, "the registry is unhealthy");
  }

  #makeRetention(policy: Api.RetentionPolicy): Answer {
    this.#checkRetention(policy);
    const project = this.projects.find(({ project_id }) => project_id === policy.scope?.ref);
    if (!project) throw new Refusal(400, `invalid Project id ${policy.scope?.ref}`);
    if (project.metadata.retention_id) throw new Refusal(400, `project ${project.name} already has retention policy`);
    const made = this.#add(this.retentions, { ...policy, id: ++this.#id });
    project.metadata.retention_id = String(made.id);
    return [201];
  }

  #checkRetention({ rules = [], trigger }: Api.RetentionPolicy): void {
    if (rules.length > 15) throw new Refusal(400, "only 15 rules are allowed at most");
    const written = rules.map((rule) => JSON.stringify({ ...rule, id: 0 }));
    const twice = written.findIndex((rule, index) => written.indexOf(rule) < index);
    if (twice >= 0)
      throw new Refusal(409, `rule ${twice} is conflict with rule ${written.indexOf(written[twice] ?? "")}`);
    checkCron((trigger?.settings as { cron?: string } | undefined)?.cron);
  }

  #makeRobot({ name = "", ...rest }: Api.RobotCreate): Answer {
    if (!/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(name)) throw new Refusal(400, "robot name is not in lower case");
    this.#checkRobot(rest);
    if (this.robots.some((robot) => robot.name === `robot$${name}`))
      throw new Refusal(409, `robot account ${name} already exists`);
    const robot = { ...rest, id: ++this.#id, name: `robot$${name}`, secret: "made by the hub", disable: false };
    this.robots.push(robot);
    return [201, { id: robot.id, name: robot.name, secret: robot.secret, expires_at: -1 }];
  }

  #changeRobot(robot: Held<Api.Robot>, body: Api.Robot): Answer {
    this.#checkRobot(body);
    if (body.name !== robot.name || body.level !== robot.level)
      throw new Refusal(400, "cannot update the level or name of robot");
    Object.assign(robot, body);
    return [200];
  }

  #checkRobot({ duration, permissions = [] }: Pick<Api.Robot, "duration" | "permissions">): void {
    if (duration !== -1 && !(Number(duration) > 0)) throw new Refusal(400, "bad request error duration input");
    if (permissions.length === 0) throw new Refusal(400, "bad request empty permission");
    for (const { namespace, access = [] } of permissions) {
      if (access.length === 0) throw new Refusal(400, "bad request empty access");
      if (namespace !== "*") this.#project(namespace ?? "");
    }
  }

  #add<T>(list: T[], item: T): T {
    list.push(item);
    return item;
  }

  #find<T extends { id: number }>(list: T[], id: number): T {
    const found = list.find((item) => item.id === id);
    if (!found) throw new Refusal(404, `${id} not found`);
    return found;
  }

  #remove<T extends { id: number }>(list: T[], id: number): Answer {
    list.splice(list.indexOf(this.#find(list, id)), 1);
    return [200];
  }
}

function page<T>(list: readonly T[], query: URLSearchParams): T[] {
  const [number, size] = [Number(query.get("page") ?? 1), Number(query.get("page_size") ?? 10)];
  return list.slice((number - 1) * size, number * size);
}

function masked({ credential, ...rest }: Api.Registry): Api.Registry {
  return { ...rest, credential: credential?.access_key ? { ...credential, access_secret: "*****" } : {} };
}

/** A robot as it is listed: without its password, and its permissions in no order. */
function shown({ secret: _, permissions = [], ...robot }: Api.Robot): Api.Robot {
  return { ...robot, permissions: permissions.toReversed() };
}

function checkCron(cron = ""): void {
  if (cron.split(" ").length !== 6 || !cron.startsWith("0 ")) throw new Refusal(400, `invalid cron string: ${cron}`);
}

function sevenDays(project: number): Api.RetentionPolicy {
  const all = (decoration: string) => [{ kind: "doublestar", decoration, pattern: "**" }];
  return {
    algorithm: "or",
    scope: { level: "project", ref: project },
    trigger: { kind: "Schedule", settings: { cron: "0 0 0 * * *" } },
    rules: [
      {
        id: 1,
        priority: 1,
        action: "retain",
        template: "nDaysSinceLastPull",
        params: { nDaysSinceLastPull: 7 },
        tag_selectors: all("matches"),
        scope_selectors: { repository: all("repoMatches") },
      },
    ],
  };
}
