/** The providers that have a stand-in, each a folder beside this file. */
export const pluginNames = ["aws", "docker-build", "kubernetes", "random", "tls"] as const;

export type PluginName = (typeof pluginNames)[number];
