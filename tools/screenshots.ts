import { join } from "node:path";
import { startPage } from "@hearth-platform/sandbox/page";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { chromium } from "playwright-core";

/** Writes the docs' screenshots of the page of stack `dev`, the last as a telephone shows it. `npm start` comes first: the page shows what runs. */

const { CHROMIUM = "/usr/bin/chromium" } = process.env;
const folder = join(import.meta.dirname, "../docs/pictures");

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(await startPage(await openSandbox()));
  await page.getByText("Live: changes appear automatically.").waitFor();
  const picture = page.getByRole("group", { name: "Stack dev" });
  await picture.waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder, `page-${colorScheme}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 390, height: 844 });
  await picture.waitFor();
  await page.screenshot({ path: join(folder, "page-narrow.png") });
} finally {
  await browser.close();
}
