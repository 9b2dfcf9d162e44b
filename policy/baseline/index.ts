import { servePack } from "../core/pack.ts";
import { baselinePack } from "./policies.ts";

servePack(baselinePack);
