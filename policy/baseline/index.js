import { start } from "../start.js";

start(import.meta.resolve("./index.ts"));
