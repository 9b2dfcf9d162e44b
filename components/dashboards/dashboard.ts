/** Grafana's names of units. (grafana/grafana packages/grafana-data/src/valueFormats/categories.ts) */
export type Unit = "short" | "bytes" | "s" | "percentunit" | "reqps" | "ops";

/** A panel as a row: its title, unit, a sentence, the query, and what a line is called by its labels. */
export type Panel = readonly [title: string, unit: Unit, description: string, query: string, legend: string];

/** A page of Grafana: one file each in `boards/`. */
export interface Dashboard {
  /** Kebab-case; of its object, and of its address in Grafana. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What is chosen at the top, and the metric whose label `namespace` has the choices; queries call it `$namespace`. */
  readonly chooses: { readonly label: string; readonly metric: string; readonly from?: "exported_namespace" };
  readonly panels: readonly Panel[];
}

/** The namespaces that were chosen. */
export const chosen = 'namespace=~"$namespace"';

const datasource = { type: "prometheus", uid: "$datasource" };
const [width, height, perRow] = [12, 8, 2];

/** A dashboard as Grafana reads it. (grafana/grafana kinds/dashboard/dashboard_kind.cue, schema 39) */
export function dashboardJson({ name, title, description, chooses, panels }: Dashboard): object {
  const { label, metric, from = "namespace" } = chooses;
  return {
    uid: `hearth-${name}`,
    title: `hearth: ${title}`,
    description,
    tags: ["hearth"],
    schemaVersion: 39,
    time: { from: "now-6h", to: "now" },
    refresh: "1m",
    templating: {
      list: [
        { name: "datasource", label: "Data source", type: "datasource", query: "prometheus" },
        {
          ...{ name: "namespace", label, type: "query", datasource, refresh: 2, sort: 1 },
          query: { query: `label_values(${metric}, ${from})`, refId: "namespace" },
          ...{ multi: true, includeAll: true, allValue: ".+", current: { text: "All", value: "$__all" } },
        },
      ],
    },
    panels: panels.map((panel, index) => panelJson(panel, index)),
  };
}

function panelJson([title, unit, description, expr, legendFormat]: Panel, index: number): object {
  return {
    ...{ id: index + 1, type: "timeseries", title, description, datasource },
    gridPos: { x: (index % perRow) * width, y: Math.floor(index / perRow) * height, w: width, h: height },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { tooltip: { mode: "multi" } },
    targets: [{ refId: "A", datasource, expr, legendFormat }],
  };
}
