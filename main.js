// What Pulumi starts. A Node that can't run TypeScript would stop at index.ts with "Unknown file extension".
const needed = 24;
if (Number.parseInt(process.versions.node, 10) < needed) {
  const { RunError } = await import("@pulumi/pulumi");
  throw new RunError(
    `hearth needs Node ${needed}, and Pulumi found Node ${process.versions.node} first on the path. ` +
      "Run it as `npx pulumi …` after `npm install`, which brings Node 24 along, or put Node 24 first on the path.",
  );
}

await import("@hearth-platform/hearth/core/sdk-start");
export default await import("./index.ts");
