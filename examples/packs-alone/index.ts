import { Deployment } from "@pulumi/kubernetes/apps/v1/deployment.js";
import { Provider } from "@pulumi/kubernetes/provider.js";

const provider = new Provider("cluster", { context: "hearth-sandbox" });
const labels = { "app.kubernetes.io/name": "report-builder" };

// As many begin: no limits, no probes, rights that nobody needs.
new Deployment(
  "report-builder",
  {
    metadata: { name: "report-builder", namespace: "reports" },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            { name: "report-builder", image: "docker.io/library/python:latest", securityContext: { privileged: true } },
          ],
        },
      },
    },
  },
  { provider },
);
