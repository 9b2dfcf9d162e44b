import { admission } from "./admission/area.ts";
import { forge } from "./forge/area.ts";
import { hub } from "./hub/area.ts";
import { serviceImage } from "./service-image/area.ts";
import { siteWebhook } from "./site-webhook/area.ts";
import { stores } from "./stores/area.ts";
import { suites } from "./suites/area.ts";

/**
 * The areas of a stack: the one list. Their settings stand in the docs in this order, and of two that claim one name the
 * later is told. They are created in this order too, each after those that it names.
 */
export const areas = { forge, hub, stores, admission, suites, siteWebhook, serviceImage };

/** Name of an area. */
export type AreaName = keyof typeof areas;
