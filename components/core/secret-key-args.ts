// Written by `npm run generate` from secret-key-schema.ts: change that.

/** A key of a Secret in the namespace of the pod that reads it. */
export interface SecretKey {
  /** Name of the Secret. */
  name: string;
  /** Key in the Secret. */
  key: string;
}
