import { servePack } from "./core/pack.ts";
import { platformPack } from "./policies.ts";

servePack(platformPack);
