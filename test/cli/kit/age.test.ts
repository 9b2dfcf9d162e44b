import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decryptWith, encryptFor } from "@hearth-platform/cli/kit/age";
import { execa } from "execa";
import { afterAll, expect, it } from "vitest";
import { systemProgram } from "../../support/system-programs.ts";

/** The encryption of kits, judged by the program age. */

const folder = mkdtempSync(join(tmpdir(), "hearth-age-"));
afterAll(() => rmSync(folder, { recursive: true }));

const names = { file: "prod.kit", identity: "key" };
const age = systemProgram("age");
const keygen = systemProgram("age-keygen");

/** An identity file as age-keygen writes it, with its public key. */
async function generated() {
  const { stdout: identity } = await execa(keygen);
  const { stdout: recipient } = await execa(keygen, ["-y"], { input: identity });
  return { identity, recipient };
}

it("each of two keys opens a kit with age, and with hearth", async () => {
  const keys = await Promise.all([generated(), generated()]);
  const content = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
  const kit = await encryptFor(
    keys.map(({ recipient }) => recipient),
    content,
  );
  for (const { identity } of keys) {
    writeFileSync(join(folder, "key"), identity);
    const opened = await execa(age, ["-d", "-i", join(folder, "key")], { input: kit, encoding: "buffer" });
    expect(Buffer.compare(opened.stdout, content)).toBe(0);
    expect(Buffer.compare(await decryptWith(identity, kit, names), content)).toBe(0);
  }
});

it("hearth opens what age has encrypted", async () => {
  const { identity, recipient } = await generated();
  const { stdout } = await execa(age, ["-r", recipient], { input: "kit", encoding: "buffer" });
  expect(Buffer.from(await decryptWith(identity, stdout, names)).toString()).toBe("kit");
});

it("a key with one letter changed is refused, not encrypted for", async () => {
  const { recipient } = await generated();
  const changed = `${recipient.slice(0, -1)}${recipient.endsWith("q") ? "p" : "q"}`;
  await expect(encryptFor([changed], Buffer.from("kit"))).rejects.toThrow(/is not a public key of age/);
});
