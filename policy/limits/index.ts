import { servePack } from "../core/pack.ts";
import { limitsPack } from "./policies.ts";

servePack(limitsPack);
