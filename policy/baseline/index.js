import { start } from "../core/start.js";

start(import.meta.resolve("./index.ts"));
