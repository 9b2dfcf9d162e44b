import { defineComponent } from "../core/component.ts";
import type { ServiceImageArgs } from "./args.ts";
import { serviceImage, serviceImageProblems } from "./schema.ts";

/** The image of the platform's own services. It makes no object of the cluster: its class builds and pushes it. */
export const serviceImageComponent = defineComponent({
  name: "ServiceImage",
  schema: serviceImage,
  rules: serviceImageProblems,
  stages: (_: ServiceImageArgs) => [],
  outputs: ({ image }) => ({ image }),
});
