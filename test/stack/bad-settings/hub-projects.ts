import type { BadValues } from "./row.ts";

/** Bad values of the hub's projects and robots. */
export const hubProjectValues: BadValues = {
  "hub.projects": [
    [[{}], "missing", "hub.projects[0].name"],
    [[{ name: "Apps" }], "project-name", "hub.projects[0].name"],
    [[{ name: "a" }, { name: "a" }], "shared", "hub.projects[1].name"],
    [[{ name: "a b" }], "project-name", "hub.projects[0].name"],
    [[{ name: "a", public: "yes" }], "type", "hub.projects[0].public"],
    [[{ name: "a", storageQuota: "10GB" }], "size", "hub.projects[0].storageQuota"],
    [[{ name: "a", retention: { rules: [] } }], "retention-rules", "hub.projects[0].retention.rules"],
    [[{ name: "a", retention: { rules: [{}] } }], "retention-rules", "hub.projects[0].retention.rules[0]"],
    [
      [{ name: "a", retention: { rules: [{ latestPushed: 0 }] } }],
      "value",
      "hub.projects[0].retention.rules[0].latestPushed",
    ],
    [
      [{ name: "a", retention: { rules: [{ latestPushed: 1, latestPulled: 1 }] } }],
      "retention-rules",
      "hub.projects[0].retention.rules[0]",
    ],
    [
      [{ name: "a", retention: { schedule: "0 3 * * *", rules: [{ latestPushed: 1 }] } }],
      "schedule",
      "hub.projects[0].retention.schedule",
    ],
    [
      [{ name: "a", retention: { schedule: "61 0 3 * * *", rules: [{ latestPushed: 1 }] } }],
      "schedule",
      "hub.projects[0].retention.schedule",
    ],
    [
      [{ name: "a", retention: { schedule: "a b c d e f", rules: [{ latestPushed: 1 }] } }],
      "schedule",
      "hub.projects[0].retention.schedule",
    ],
    [
      [{ name: "a", retention: { rules: [{ latestPushed: 1.5 }] } }],
      "type",
      "hub.projects[0].retention.rules[0].latestPushed",
    ],
    [
      [{ name: "a", retention: { rules: [{ latestPushed: 1, tags: "{a" }] } }],
      "robot-projects",
      "hub.robots[0].projects[0]",
    ],
    [
      [{ name: "a", proxyCache: { kind: "dockerhub", url: "https://hub.docker.com" } }],
      "value",
      "hub.projects[0].proxyCache.kind",
    ],
    [
      [{ name: "a", proxyCache: { kind: "docker-hub", url: "hub.docker.com" } }],
      "proxy-cache-url",
      "hub.projects[0].proxyCache.url",
    ],
    [
      [{ name: "a", proxyCache: { kind: "docker-hub", url: "https://u:hunter2@hub.docker.com" } }],
      "proxy-cache-url",
      "hub.projects[0].proxyCache.url",
    ],
    [
      [{ name: "a", proxyCache: { kind: "docker-hub", url: 'https://hub.docker.com/"x' } }],
      "proxy-cache-url",
      "hub.projects[0].proxyCache.url",
    ],
    [
      [{ name: "a", proxyCache: { kind: "docker-hub", url: "https://hub.docker.com\\x" } }],
      "proxy-cache-url",
      "hub.projects[0].proxyCache.url",
    ],
    [
      [{ name: "a", proxyCache: { kind: "docker-hub", url: "https://" } }],
      "proxy-cache-url",
      "hub.projects[0].proxyCache.url",
    ],
    [
      [{ name: "a", proxyCache: { kind: "docker-hub", url: "https://hub.docker.com", user: "u" } }],
      "proxy-cache-user",
      "hub.projects[0].proxyCache.password",
    ],
    [
      [
        {
          name: "a",
          proxyCache: { kind: "docker-hub", url: "https://hub.docker.com", password: { name: "a", key: "b" } },
        },
      ],
      "proxy-cache-user",
      "hub.projects[0].proxyCache.user",
    ],
    [
      [
        {
          name: "a",
          proxyCache: { kind: "docker-hub", url: "https://hub.docker.com", user: "u", password: "hunter2" },
        },
      ],
      "secret",
      "hub.projects[0].proxyCache.password",
    ],
    [[{ name: "a", proxyCache: { kind: "docker-hub" } }], "missing", "hub.projects[0].proxyCache.url"],
    [[{ name: "a", quota: "1Gi" }], "unknown-key", "hub.projects[0].quota"],
    [{ apps: {} }, "type"],
    [[null], "type", "hub.projects[0]"],
    [[{ name: "library" }], "robot-projects", "hub.robots[0].projects[0]"],
    [
      [
        {
          name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        },
      ],
      "project-name",
      "hub.projects[0].name",
    ],
  ],
  "hub.robots": [
    [[{ name: "ci" }], "missing", "hub.robots[0].projects"],
    [[{ name: "ci", projects: [] }], "robot-projects", "hub.robots[0].projects"],
    [[{ name: "ci", projects: ["appz"] }], "robot-projects", "hub.robots[0].projects[0]"],
    [[{ name: "CI", projects: ["apps"] }], "dns-label", "hub.robots[0].name"],
    [[{ name: "ci", projects: ["apps"], access: "write" }], "value", "hub.robots[0].access"],
    [
      [
        { name: "ci", projects: ["apps"] },
        { name: "ci", projects: ["apps"] },
      ],
      "shared",
      "hub.robots[1].name",
    ],
    [[{ name: "ci", projects: "apps" }], "type", "hub.robots[0].projects"],
    [[{ name: "ci", projects: ["apps"], secret: "hunter2" }], "secret", "hub.robots[0].secret"],
  ],
};
