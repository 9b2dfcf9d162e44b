import { resourceRequirements } from "../kubernetes/resources.ts";

/** Resources of the short-lived containers that run the suite's PHP, which takes up to 512Mi itself. */
export const jobResources = resourceRequirements({
  requests: { cpu: "50m", memory: "128Mi" },
  limits: { cpu: "1000m", memory: "1Gi" },
});
