import { load } from "@hearth-platform/bundle/load";

// Whoever reads the output has seen enough: `hearth policies | head`.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

await load(import.meta.resolve("./main.ts"));
