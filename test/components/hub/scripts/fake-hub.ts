import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What the hub holds. */
interface Robot {
  id: number;
  name: string;
  description?: string;
  secret: string;
  [key: string]: unknown;
}
interface Project {
  project_id: number;
  name: string;
  registry_id?: number;
  metadata: Record<string, string>;
}
interface Item {
  id: number;
}
interface Registry extends Item {
  name: string;
  type: string;
  url: string;
  credential?: Record<string, string>;
}
interface Quota extends Item {
  ref: number;
  hard: { storage: number };
}
interface Retention extends Item {
  scope: { level: string; ref: number };
  trigger: { settings: { cron: string } };
  rules: unknown[];
}
interface Schedule {
  schedule: { type: string; cron: string };
  parameters: Record<string, unknown>;
}
/** A request's body, of which each handler reads what is its own. */
interface Body extends Registry, Quota, Retention, Schedule {
  project_name: string;
  metadata: Record<string, string>;
  storage_limit: number;
  registry_id?: number;
  secret: string;
  duration: number;
  permissions: { namespace: string; access: unknown[] }[];
  credential_type: string;
  access_key: string;
  access_secret: string;
}

/** A refusal as the hub words it. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The hub's API as far as settings go, by the semantics of goharbor/harbor src/server/v2.0/handler. */
export class FakeHub {
  readonly robots: Robot[] = [];
  readonly projects: Project[] = [];
  readonly registries: Registry[] = [];
  readonly quotas: Quota[] = [];
  readonly retentions: Retention[] = [];
  schedule?: Schedule;
  /** `METHOD /path` of every request that may change something. */
  readonly writes: string[] = [];
  /** Pings that are answered with 503 yet. */
  starting = 0;
  /** Whether registries elsewhere answer. */
  outside = true;
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
    this.#server = createServer((request, response) => {
      this.#answer(request)
        .then((body) => response.end(body === undefined ? undefined : JSON.stringify(body)))
        .catch((error) => {
          response.statusCode = error instanceof Refusal ? error.status : 500;
          response.end(JSON.stringify({ errors: [{ code: "FAKE", message: String(error.message) }] }));
        });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? "", this.url);
    const [, , , ...parts] = pathname.split("/");
    const route = `${request.method} ${[parts[0], ...parts.slice(1).map((part) => (/^\d+$/.test(part) ? "#" : part))].join("/")}`;
    if (route === "GET ping") {
      if (this.starting-- > 0) throw new Refusal(503, "starting");
      return "Pong";
    }
    const wanted = `Basic ${Buffer.from(`admin:${this.#password}`).toString("base64")}`;
    if (request.headers.authorization !== wanted) throw new Refusal(401, "unauthorized");
    const body: Body = JSON.parse((await text(request)) || "{}");
    if (request.method !== "GET") this.writes.push(`${request.method} ${pathname.slice("/api/v2.0".length)}`);
    const page = Number(searchParams.get("page") ?? 1);
    const size = Number(searchParams.get("page_size") ?? 10);
    const paged = (list: unknown[]) => list.slice((page - 1) * size, page * size);
    if (parts[0] === "projects" && parts[1]) return this.#project(request.method, decodeURIComponent(parts[1]), body);
    const id = Number(parts.find((part) => /^\d+$/.test(part)));
    switch (route) {
      case "GET robots":
        return paged(this.robots.map(({ secret: _, ...robot }) => robot));
      case "POST robots":
        return this.#makeRobot(body);
      case "PUT robots/#":
        return this.#changeRobot(this.#find(this.robots, id), body);
      case "PATCH robots/#":
        if (!/^(?=.*[A-Z])(?=.*[a-z])(?=.*\d).{8,128}$/.test(body.secret))
          throw new Refusal(400, "the secret must be 8-128, inclusively, characters long");
        this.#find(this.robots, id).secret = body.secret;
        return {};
      case "DELETE robots/#":
        this.robots.splice(this.robots.indexOf(this.#find(this.robots, id)), 1);
        return undefined;
      case "POST projects":
        return this.#makeProject(body);
      case "GET quotas":
        return this.quotas.filter(({ ref }) => ref === Number(searchParams.get("reference_id")));
      case "PUT quotas/#":
        this.#find(this.quotas, id).hard = body.hard;
        return undefined;
      case "GET registries":
        return paged(
          this.registries.map(({ credential, ...rest }) => ({
            ...rest,
            credential: credential && { ...credential, access_secret: "*****" },
          })),
        );
      case "POST registries":
        if (this.registries.some(({ name }) => name === body.name))
          throw new Refusal(409, `registry ${body.name} exists`);
        if (!this.outside) throw new Refusal(400, "the registry is unhealthy");
        this.registries.push({ ...body, id: ++this.#id });
        return undefined;
      case "PUT registries/#":
        if (!this.outside) throw new Refusal(400, "the registry is unhealthy");
        Object.assign(this.#find(this.registries, id), {
          url: body.url,
          credential: { type: body.credential_type, access_key: body.access_key, access_secret: body.access_secret },
        });
        return undefined;
      case "GET system/gc/schedule":
        // Without a schedule the answer has no body.
        return (
          this.schedule && {
            schedule: this.schedule.schedule,
            job_parameters: JSON.stringify(this.schedule.parameters),
          }
        );
      case "POST system/gc/schedule":
      case "PUT system/gc/schedule":
        this.#checkCron(body.schedule.cron);
        this.schedule = body;
        return undefined;
      case "POST retentions":
        return this.#makeRetention(body);
      case "PUT retentions/#":
        this.#checkCron(body.trigger.settings.cron);
        Object.assign(this.#find(this.retentions, id), body);
        return undefined;
      case "DELETE retentions/#": {
        const retention = this.#find(this.retentions, id);
        this.retentions.splice(this.retentions.indexOf(retention), 1);
        const project = this.projects.find(({ project_id }) => project_id === retention.scope.ref);
        delete project?.metadata.retention_id;
        return undefined;
      }
      default:
        throw new Refusal(404, `path ${route} was not found`);
    }
  }

  #project(method: string | undefined, name: string, body: Body): unknown {
    const project = this.projects.find((other) => other.name === name);
    if (!project) throw new Refusal(404, `project ${name} not found`);
    if (method === "PUT") Object.assign(project.metadata, body.metadata);
    return method === "GET" ? project : undefined;
  }

  #makeProject({ project_name: name, metadata, storage_limit, registry_id }: Body): void {
    if (this.projects.some((project) => project.name === name))
      throw new Refusal(409, `The project named ${name} already exists`);
    if (registry_id !== undefined) this.#find(this.registries, registry_id);
    const project: Project = {
      project_id: ++this.#id,
      name,
      metadata: { ...metadata },
      ...(registry_id && { registry_id }),
    };
    this.projects.push(project);
    this.quotas.push({ id: ++this.#id, ref: project.project_id, hard: { storage: storage_limit || -1 } });
    // A cache gets a policy of seven days by itself.
    if (registry_id)
      this.#makeRetention({
        scope: { level: "project", ref: project.project_id },
        trigger: { settings: { cron: "0 0 0 * * *" } },
        rules: [],
      });
  }

  #makeRetention(policy: Omit<Retention, "id">): void {
    const project = this.projects.find(({ project_id }) => project_id === policy.scope.ref);
    if (!project) throw new Refusal(400, `invalid Project id ${policy.scope.ref}`);
    if (project.metadata.retention_id) throw new Refusal(400, `project ${project.name} already has retention policy`);
    this.#checkCron(policy.trigger.settings.cron);
    this.retentions.push({ ...policy, id: ++this.#id });
    project.metadata.retention_id = String(this.#id);
  }

  #makeRobot({ name, ...rest }: Pick<Body, "name" | "duration" | "permissions">): void {
    if (!/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(name)) throw new Refusal(400, "robot name is not in lower case");
    this.#checkRobot(rest);
    if (this.robots.some((robot) => robot.name === `robot$${name}`))
      throw new Refusal(409, `robot account ${name} already exists`);
    this.robots.push({ ...rest, id: ++this.#id, name: `robot$${name}`, secret: "made by the hub" });
  }

  #changeRobot(robot: Robot, body: Body): void {
    this.#checkRobot(body);
    if (body.name !== robot.name) throw new Refusal(400, "cannot update the level or name of robot");
    Object.assign(robot, body);
  }

  #checkRobot({ duration, permissions }: Pick<Body, "duration" | "permissions">): void {
    if (duration !== -1 && !(duration > 0)) throw new Refusal(400, "bad request error duration input");
    for (const { namespace, access } of permissions) {
      if (access.length === 0) throw new Refusal(400, "bad request empty access");
      if (!this.projects.some(({ name }) => name === namespace))
        throw new Refusal(404, `project ${namespace} not found`);
    }
  }

  #checkCron(cron: string): void {
    if (cron.split(" ").length !== 6) throw new Refusal(400, `invalid cron string: ${cron}`);
  }

  #find<T extends { id: number }>(list: T[], id: number): T {
    const found = list.find((item) => item.id === id);
    if (!found) throw new Refusal(404, `${id} not found`);
    return found;
  }
}
