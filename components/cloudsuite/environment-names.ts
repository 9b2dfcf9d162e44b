/** Environment variables that the configuration files and scripts read. Those that start with `NC_` Nextcloud reads itself. */
export const environmentNames = {
  keystorePassword: "KEYSTORE_PASSWORD",
} as const;
