import { type Browser, chromium } from "playwright-core";
import { systemProgram } from "./system-programs.ts";

/** A real browser, which asks nothing of the world outside by itself. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: systemProgram("chromium"),
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
      ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
    ],
  });
}
