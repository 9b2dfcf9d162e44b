/** Labels that every object of ours has: selectors and network policies find pods by them. */
export const ownLabels = {
  name: "app.kubernetes.io/name",
  partOf: "app.kubernetes.io/part-of",
  managedBy: "app.kubernetes.io/managed-by",
} as const;
