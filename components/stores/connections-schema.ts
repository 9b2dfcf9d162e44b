import { as, block, choice, flag, optional, port, text } from "../core/schema.ts";
import { secretKey } from "../core/secret-key-schema.ts";
import { endpointUrl, serverHost } from "../core/value-rules.ts";

export const databaseConnectionSchema = block(
  "DatabaseConnection",
  "How an application reaches a PostgreSQL database.",
  {
    host: text("DNS name of the database, e.g. `db.example.org`. For a cluster that hearth makes, use the pooler's.", {
      rule: serverHost,
    }),
    port: port("TCP port."),
    database: text("Name of the database."),
    user: text("Role the application signs in as."),
    password: as(secretKey, "Secret key of the role's password."),
  },
);

export const keystoreConnectionSchema = block(
  "KeystoreConnection",
  "How an application reaches a keystore (Redis protocol).",
  {
    host: text("DNS name, e.g. `keystore.example.org`.", { rule: serverHost }),
    port: port("TCP port."),
    password: optional(as(secretKey, "Secret key of the password. Without it the keystore asks for none."), "none"),
  },
);

export const objectStoreConnectionSchema = block(
  "ObjectStoreConnection",
  "How an application reaches an S3-compatible object store.",
  {
    endpoint: text("URL, e.g. `https://fsn1.your-objectstorage.com`.", { rule: endpointUrl }),
    region: text("Region code for signing requests, e.g. `fsn1`."),
    pathStyle: flag("Bucket in the path instead of the host name."),
    credentials: text("Secret that holds the two keys of `objectStoreKeys`."),
  },
);

export const objectStoreKeys = choice(
  "objectStoreKeys",
  { accessKeyId: "AWS_ACCESS_KEY_ID", secretAccessKey: "AWS_SECRET_ACCESS_KEY" },
  'Keys of a Secret with object-store credentials (specification, "Other named objects").',
);
