import { type StackFiles, smallStack, withSettings } from "../../test/support/stack-files.ts";

const small = smallStack();
const { "suites/club/config.yaml": club } = small.suites as Record<string, object & { s3: object }>;
const webhook = small.settings.siteWebhook as object & { sites: readonly object[] };

/**
 * A stack of as many suites like the second one of `dev`, and nothing else.
 * @param first number of its first suite
 */
export function withSuites(count: number, first = 0): StackFiles {
  const suites = Array.from({ length: count }, (_, index) => {
    const name = `suite-${first + index}`;
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
      ...withSettings(small, { siteWebhook: undefined }).settings,
      cloudsuites: suites.map(({ name, file }) => ({ name, config: file })),
    },
    suites: Object.fromEntries(suites.map(({ file, content }) => [file, content])),
  };
}

/** A stack of the site webhook with as many sites, and nothing else. */
export function withSites(count: number): StackFiles {
  const sites = Array.from({ length: count }, (_, index) => ({
    namespace: "pages",
    name: `site-${index}`,
    spec: { repo: `https://forge.example.org/team/site-${index}.git`, domain: `site-${index}.example.org` },
  }));
  return { settings: { ...small.settings, cloudsuites: [], siteWebhook: { ...webhook, sites } }, suites: {} };
}
