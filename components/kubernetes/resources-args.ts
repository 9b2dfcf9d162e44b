// Written by `npm run generate` from resources-schema.ts: change that.

/** CPU and memory of a container. */
export interface ResourceAmountsArgs {
  /** CPU in millicores, e.g. `200m`. */
  cpu: string;
  /** Memory with a binary suffix, e.g. `512Mi`. */
  memory: string;
}

/** What a container is given: the specification's ResourceSpec. */
export interface ResourceSpecArgs {
  /** Amounts reserved on the node. */
  requests: ResourceAmountsArgs;
  /** Above the CPU limit the container is throttled; above the memory limit it is killed. */
  limits: ResourceAmountsArgs;
}
