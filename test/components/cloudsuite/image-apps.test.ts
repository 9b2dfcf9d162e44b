import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { imageAppsPath } from "@hearth-platform/hearth/cloudsuite/image-apps";
import { imageAppsScripts } from "@hearth-platform/hearth/cloudsuite/scripts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "../../support/free-ports.ts";
import { systemProgram } from "../../support/system-programs.ts";

/** What a real Apache, with the image's modules, serves of apps that come as an image. */

const modules = "/usr/lib/apache2/modules";
const folder = mkdtempSync(join(tmpdir(), "hearth-image-apps-"));
let address: string;
let end: () => Promise<void>;

beforeAll(async () => {
  const apps = join(folder, "image-apps");
  for (const part of ["appinfo", "js", "img"]) mkdirSync(join(apps, "calendar", part), { recursive: true });
  writeFileSync(join(apps, "calendar/js/main.mjs"), "export {};");
  writeFileSync(join(apps, "calendar/ajax.php"), "<?php secret();");
  writeFileSync(join(apps, "calendar/ajax.php.bak"), "<?php secret();");
  mkdirSync(join(folder, "html"));
  // The file as it is, but for the place of the apps, which no test may make.
  const conf = imageAppsScripts["image-apps.conf"];
  writeFileSync(
    join(folder, "image-apps.conf"),
    conf.replaceAll(/(Alias \S+ |<Directory )\/image-apps/g, (_, before: string) => `${before}${apps}`),
  );
  const port = await freePort();
  const loaded = ["mpm_prefork", "authz_core", "alias", "mime", "headers", "autoindex"];
  writeFileSync(
    join(folder, "apache2.conf"),
    `ServerRoot ${folder}
ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/error.log
DefaultRuntimeDir ${folder}
DocumentRoot ${folder}/html
${loaded.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join("\n")}
TypesConfig /dev/null
<Directory />
  Options Indexes
  Require all denied
</Directory>
Include ${folder}/image-apps.conf
`,
  );
  const child = spawn(systemProgram("apache2"), ["-D", "FOREGROUND", "-f", join(folder, "apache2.conf")], {
    stdio: "ignore",
    detached: true,
  });
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  end = () => {
    child.kill("SIGTERM");
    return exit;
  };
  address = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(address)).status).toBe(403), { timeout: 20_000 });
});

afterAll(() => end());

test("the address that Nextcloud writes is the one that Apache serves", () => {
  expect(imageAppsScripts["image-apps.conf"]).toContain(`\nAlias ${imageAppsPath} ${imageAppsPath}\n`);
});

test("browsers get scripts with their type, which they load no modules without", async () => {
  const answer = await fetch(`${address}/image-apps/calendar/js/main.mjs`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/javascript");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
});

test.each(["calendar/ajax.php", "calendar/ajax.php.bak", "calendar/js/", "calendar/ajax.php/extra"])(
  "nobody reads or runs PHP of them, and no folder is listed: %s",
  async (path) => {
    const answer = await fetch(`${address}/image-apps/${path}`);
    expect(answer.status).toBe(403);
    expect(await answer.text()).not.toContain("secret");
  },
);
