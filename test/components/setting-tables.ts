import type { SettingTable } from "../support/setting-table.ts";
import { configTable, suiteTable } from "./cloudsuite/setting-table.ts";
import { copiesTable } from "./copies/setting-table.ts";
import { drillTable } from "./drill/setting-table.ts";
import { forgeTable } from "./forge/setting-table.ts";
import { hubTable } from "./hub/setting-table.ts";
import { platformTable } from "./platform-table.ts";
import { webhookTable } from "./site-webhook/setting-table.ts";
import { storesTable } from "./stores/shared/setting-table.ts";

/** What every setting does when it changes. */
export const settingTables: readonly SettingTable[] = [
  configTable,
  suiteTable,
  forgeTable,
  hubTable,
  storesTable,
  webhookTable,
  copiesTable,
  drillTable,
  platformTable,
];
