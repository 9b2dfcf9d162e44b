import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { serviceBase } from "@hearth-platform/hearth/catalogue/images";
import { execa } from "execa";

/** An image that needs no download: this machine's Node 24 and the libraries it is linked to are built in its place. */
export const nodeBase = serviceBase;

/** The value of a build argument, the stand-in in the place of what it stands for: its content has not the digest of a lock. */
export function standInFor(value: string): string {
  return value.startsWith(`${nodeBase}@`) ? nodeBase : value;
}

const dockerfile = `FROM scratch
COPY root /
USER 65532:65532
ENTRYPOINT ["/nodejs/bin/node"]
`;

/**
 * Puts the files of the stand-in for `nodeBase` into a folder, calls `work` with it, and deletes it.
 * @param work gets a build context with a Dockerfile
 */
export async function withNodeBase(work: (context: string) => Promise<void>): Promise<void> {
  const context = await mkdtemp(join(tmpdir(), "hearth-node-base-"));
  try {
    const root = join(context, "root");
    const { stdout } = await execa("ldd", [process.execPath]);
    const libraries = [...stdout.matchAll(/(?:=>\s*|^\s*)(\/\S+)/gm)].map(([, path = ""]) => path);
    const files = [[process.execPath, "/nodejs/bin/node"], ...libraries.map((path) => [path, path])];
    for (const [from = "", to = ""] of files) {
      await mkdir(join(root, dirname(to)), { recursive: true });
      await cp(from, join(root, to), { dereference: true });
    }
    await mkdir(join(root, "etc"), { recursive: true });
    await writeFile(join(root, "etc", "passwd"), "nonroot:x:65532:65532:nonroot:/:/sbin/nologin\n");
    await writeFile(join(context, "Dockerfile"), dockerfile);
    await work(context);
  } finally {
    await rm(context, { recursive: true });
  }
}
