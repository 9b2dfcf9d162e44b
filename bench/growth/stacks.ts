import { committedStack, type StackFiles, withSettings } from "../../test/support/stack-files.ts";

const dev = committedStack("dev");
const { "suites/club/config.yaml": club } = dev.suites as Record<string, object & { s3: object }>;
const webhook = dev.settings.siteWebhook as object & { sites: readonly object[] };

/** Stack `dev` with as many of its second suite and nothing else. */
export function withSuites(count: number): StackFiles {
  const suites = Array.from({ length: count }, (_, index) => {
    const name = `suite-${index}`;
    const content = {
      ...club,
      namespace: name,
      domain: `${name}.example.org`,
      s3: { ...club?.s3, buckets: { data: `data-${name}-dev1`, backups: `backups-${name}-dev1` } },
    };
    return { name, file: `suites/${name}/config.yaml`, content };
  });
  return {
    settings: {
      ...withSettings(dev, { siteWebhook: undefined }).settings,
      cloudsuites: suites.map(({ name, file }) => ({ name, config: file })),
    },
    suites: Object.fromEntries(suites.map(({ file, content }) => [file, content])),
  };
}

/** Stack `dev` with the site webhook, as many sites, and no suite. */
export function withSites(count: number): StackFiles {
  const sites = Array.from({ length: count }, (_, index) => ({
    namespace: "pages",
    name: `site-${index}`,
    spec: { repo: `https://forge.example.org/team/site-${index}.git`, domain: `site-${index}.example.org` },
  }));
  return { settings: { ...dev.settings, cloudsuites: [], siteWebhook: { ...webhook, sites } }, suites: {} };
}
