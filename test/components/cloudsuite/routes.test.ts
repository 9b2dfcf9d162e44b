import type { IngressRoute } from "@hearth-platform/hearth/kubernetes/custom-resources/ingress-route";
import { describe, expect, test } from "vitest";
import { find } from "./objects.ts";
import { completeSuite, onPlatform } from "./suite.ts";

const host = "Host(`cloud.example.org`)";
/** Folders of the program, however their paths are spelled. */
const outside = "!PathRegexp(`^(/|%2[Ff])+(data|config|lib|3rdparty|templates|tests|build)((/|%2[Ff])|$)`)";

describe("routes", () => {
  const routes = (name: string, args = completeSuite) => find<IngressRoute>(args, "IngressRoute", name).spec;

  test("send the domain to the web and /whiteboard, without that prefix, to the whiteboard", () => {
    expect(routes("cloudsuite")).toMatchObject({
      entryPoints: ["websecure"],
      tls: { secretName: "cloudsuite-tls" },
      routes: [
        { match: `${host} && ${outside}`, services: [{ name: "cloudsuite", port: 80 }] },
        {
          match: `${host} && ${outside} && (Path(\`/whiteboard\`) || PathPrefix(\`/whiteboard/\`))`,
          middlewares: [{ name: "cloudsuite-strict-transport" }, { name: "whiteboard-prefix" }],
          services: [{ name: "whiteboard", port: 3002 }],
        },
      ],
    });
  });

  test("send HTTP to HTTPS, calendars and contacts to where Nextcloud has them, and ask for HTTPS from then on", () => {
    expect(routes("cloudsuite-to-https")).toMatchObject({
      entryPoints: ["web"],
      routes: [{ match: "Host(`cloud.example.org`) || Host(`office.cloud.example.org`)" }],
    });
    const middleware = (name: string) => find<{ spec: object }>(completeSuite, "Middleware", name).spec;
    expect(middleware("cloudsuite-strict-transport")).toEqual({ headers: { stsSeconds: 15552000 } });
    expect(middleware("cloudsuite-dav-redirect")).toEqual({
      redirectRegex: {
        regex: "^https://([^/]+)/\\.well-known/(?:card|cal)dav/?(\\?.*)?$",
        replacement: "https://$1/remote.php/dav/$2",
        permanent: true,
      },
    });
  });

  test("use the entry points of the settings", () => {
    const args = onPlatform(completeSuite, {
      ingress: { clusterIssuer: "internal", entryPoint: "https", httpEntryPoint: "http" },
    });
    expect(routes("cloudsuite", args).entryPoints).toEqual(["https"]);
    expect(routes("cloudsuite-to-https", args).entryPoints).toEqual(["http"]);
    expect(find<{ spec: object }>(args, "Certificate", "office-tls").spec).toEqual({
      secretName: "office-tls",
      dnsNames: ["office.cloud.example.org"],
      issuerRef: { name: "internal", kind: "ClusterIssuer" },
    });
  });
});
