import type { SiteWebhookArgs } from "@hearth-platform/hearth/site-webhook/args";
import { platform } from "../../support/platform.ts";

/** A webhook that may sync the sites of one namespace. */
export const webhook: SiteWebhookArgs = {
  namespace: "site-webhook",
  enabled: true,
  domain: "sync.example.org",
  image: "registry.example.org/hearth/site-webhook:1a2b",
  namespaces: ["pages"],
  sites: [
    { namespace: "pages", name: "handbook", spec: '{"repo":"https://forge.example.org/team/handbook.git"}' },
    {
      namespace: "pages",
      name: "blog.team",
      syncInterval: "15m",
      spec: '{"repo":"https://forge.example.org/team/blog.git"}',
    },
  ],
  platform,
};
