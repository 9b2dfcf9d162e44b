/** Robots of the settings: made, changed and deleted in a running hub. (goharbor/harbor src/server/v2.0/handler/robot.go) */
import type { RobotSettings } from "../configuration.ts";
import type { Robot, RobotCreate, RobotCreated, RobotPermission, RobotSec } from "../generated/hub-api.ts";
import { all, api, secret, signsIn, type With } from "./hub-api.ts";

/** Tells the robots of the settings from those made by hand. */
const ours = "Made by hearth";

type KnownRobot = With<Robot, "id" | "name">;

/** All robots of the whole hub. */
export function knownRobots(): Promise<KnownRobot[]> {
  return all<KnownRobot>("/robots");
}

/** Makes what is wanted true of one robot. */
export async function applyRobot(wanted: RobotSettings, known: readonly KnownRobot[]): Promise<void> {
  const { name } = wanted;
  const permissions = permissionsOf(wanted);
  const robot = { description: ours, level: "system", duration: -1, disable: false, permissions };
  const now = known.find((other) => other.name === fullName(name));
  if (!now) {
    const made = await api<RobotCreated>("POST", "/robots", { name, ...robot } satisfies RobotCreate);
    if (made?.id === undefined) throw new Error("The hub made it and did not say which it is.");
    console.log(`Robot ${name}: made.`);
    await setPassword(made.id, name);
    return;
  }
  if (!isSo(now, robot)) {
    await api("PUT", `/robots/${now.id}`, { name: fullName(name), ...robot } satisfies Robot);
    console.log(`Robot ${name}: set what it may do.`);
  }
  // It is in force by now, so that only another password keeps it out.
  if (!(await signsIn(now.name, password(name), `/robots/${now.id}`))) await setPassword(now.id, name);
}

/** Deletes robots that were in the settings once. */
export async function deleteRobots(wanted: readonly RobotSettings[], known: readonly KnownRobot[]): Promise<void> {
  const names = new Set(wanted.map(({ name }) => fullName(name)));
  for (const { id, name, description } of known)
    if (description === ours && !names.has(name)) {
      await api("DELETE", `/robots/${id}`);
      console.log(`Robot ${name}: deleted.`);
    }
}

async function setPassword(id: number, name: string): Promise<void> {
  await api("PATCH", `/robots/${id}`, { secret: password(name) } satisfies RobotSec);
  console.log(`Robot ${name}: set its password.`);
}

function password(name: string): string {
  return secret(`robots/${name}`);
}

function fullName(name: string): string {
  return `robot$${name}`;
}

function permissionsOf({ projects, access }: RobotSettings): RobotPermission[] {
  const actions = access === "push" ? ["pull", "push"] : ["pull"];
  return projects.map((namespace) => ({
    kind: "project",
    namespace,
    access: actions.map((action) => ({ resource: "repository", action })),
  }));
}

function isSo(now: KnownRobot, wanted: Pick<Robot, "description" | "duration" | "disable" | "permissions">): boolean {
  return (
    now.description === wanted.description &&
    now.duration === wanted.duration &&
    now.disable === wanted.disable &&
    // The hub gives them in any order.
    flat(now.permissions) === flat(wanted.permissions)
  );
}

function flat(permissions: readonly RobotPermission[] = []): string {
  const each = permissions.flatMap(({ kind, namespace, access = [] }) =>
    access.map(({ resource, action, effect }) =>
      JSON.stringify([kind, namespace, resource, action, effect || "allow"]),
    ),
  );
  return [...new Set(each)].sort().join();
}
