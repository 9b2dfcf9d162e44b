import { admissionArea } from "./admission/area.ts";
import { copiesArea } from "./copies/area.ts";
import { dashboardsArea } from "./dashboards/area.ts";
import { drillArea } from "./drill/area.ts";
import { forgeArea } from "./forge/area.ts";
import { hubArea } from "./hub/area.ts";
import { serviceImageArea } from "./service-image/area.ts";
import { siteWebhookArea } from "./site-webhook/area.ts";
import { storesArea } from "./stores/area.ts";
import { suitesArea } from "./suites/area.ts";

/**
 * The areas of a stack: the one list. Their settings stand in the docs in this order, and of two that claim one name the
 * later is told. They are created in this order too, each after those that it names.
 */
export const areas = {
  forge: forgeArea,
  hub: hubArea,
  stores: storesArea,
  admission: admissionArea,
  dashboards: dashboardsArea,
  suites: suitesArea,
  siteWebhook: siteWebhookArea,
  serviceImage: serviceImageArea,
  copies: copiesArea,
  drill: drillArea,
};

/** Name of an area. */
export type AreaName = keyof typeof areas;
