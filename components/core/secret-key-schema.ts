import { dataKey, objectName } from "./object-rules.ts";
import { block, text } from "./schema.ts";

export const secretKey = block("SecretKey", "A key of a Secret in the namespace of the pod that reads it.", {
  name: text("Name of the Secret.", { rule: objectName }),
  key: text("Key in the Secret.", { rule: dataKey }),
});
