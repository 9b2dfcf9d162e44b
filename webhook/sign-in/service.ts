import { getRequestListener } from "@hono/node-server";
import { CallBudget, type CallLimits } from "../call-budget.ts";
import type { Clock } from "../clock.ts";
import { Log } from "../log.ts";
import { createPublicServer, type Service, serve } from "../servers.ts";
import { AdministratorPassword } from "./administrator-password.ts";
import { createSignInApp } from "./app.ts";
import { type AttemptLimits, Attempts } from "./attempts.ts";
import { Core } from "./core.ts";
import { ForgeClient } from "./forge.ts";
import { HubApi } from "./hub-api.ts";
import { HubUsers } from "./hub-users.ts";
import { PullRobot } from "./pull-robot.ts";
import { Serial } from "./serial.ts";
import type { SignInSettings } from "./settings.ts";
import { SignIn } from "./sign-in.ts";
import { Sources } from "./source.ts";
import { SignInTelemetry } from "./telemetry.ts";
import { Upstream } from "./upstream.ts";

/** How much the forge is asked; a sign-in asks it twice. */
const forgeCalls: CallLimits = { perSecond: 20, burst: 40, inFlight: 16, waiting: 256 };
/** What made-up tokens and passwords of one source may cost, so that ten such sources leave half of the forge's turns for new tokens to others. */
const failures: AttemptLimits = { perSecond: 0.5, burst: 10, waiting: 64 };
/** Sign-ins of one user that wait for each other. */
const waitingPerUser = 32;
/** Sign-ins under way get this long when the service ends. */
const finishWithin = 14_000;

/** Starts the sign-in adapter; resolves when both ports are open. Rejects when one is taken. */
export async function startSignIn(
  settings: SignInSettings,
  clock: Clock,
  write: (line: string) => void,
): Promise<Service> {
  const log = new Log(write, clock);
  const telemetry = new SignInTelemetry(log, clock);
  const [forgeUpstream, coreUpstream] = (["forge", "core"] as const).map(
    (to) => new Upstream(settings[to], clock, (code, seconds) => telemetry.upstream(to, code, seconds)),
  ) as [Upstream, Upstream];
  const password = new AdministratorPassword(settings.passwordFile, clock);
  const core = new Core(coreUpstream);
  const api = new HubApi(coreUpstream, settings.administrator, password, clock);
  const users = new HubUsers(api, settings.issuer, clock);
  const signIn = new SignIn({
    forge: new ForgeClient(forgeUpstream),
    users,
    core,
    robot: new PullRobot(core, api, password),
    budget: new CallBudget(forgeCalls, clock),
    serial: new Serial(waitingPerUser),
    clock,
  });
  const attempts = new Attempts(failures, clock);
  telemetry.metrics.gauge(
    "hub_users_remembered",
    "Users of the hub whose number at the forge is known.",
    () => users.remembered,
  );

  const server = createPublicServer();
  const { administrator, hub } = settings;
  const closing = () => !server.listening;
  const sources = new Sources(settings.trustedProxies);
  const app = createSignInApp({ signIn, core, attempts, sources, telemetry, clock, administrator, hub, closing });
  server.on("request", getRequestListener(app.fetch, { autoCleanupIncoming: false }));
  return serve(settings, clock, log, {
    server,
    metrics: telemetry.metrics,
    finishWithin,
    notReady: async () =>
      (await password.current()) === undefined ? "the administrator's password can't be read" : undefined,
    settled: () => telemetry.quiet(),
    inFlight: () => telemetry.inFlight,
    close: () => {
      forgeUpstream.close();
      coreUpstream.close();
    },
  });
}
