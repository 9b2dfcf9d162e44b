import { verdicts } from "@hearth-platform/cli/status/page/verdict";
import { strictest } from "@hearth-platform/policy/core/stack-facts";
import { describe, expect, it } from "vitest";

const urn = (type: string, name: string) => `urn:pulumi:dev::hearth::${type}::${name}`;

/** The resources of a state with one Deployment of this container. */
function state(container: object) {
  const type = "kubernetes:apps/v1:Deployment";
  const template = { spec: { containers: [{ name: "web", ...container }] } };
  const inputs = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "team", name: "web" },
    spec: { template },
  };
  return [{ type, urn: urn(type, "team/web"), inputs }];
}

const policies = (container: object) => verdicts(state(container), strictest).map(({ policy }) => policy);

describe("what the policies say of a state", () => {
  it("names the policy, the resource and what is wrong", () => {
    expect(verdicts(state({ image: "docker.io/library/nginx:latest" }), strictest)).toContainEqual({
      policy: "wl-image-tag",
      resource: "team/web",
      message: expect.stringMatching(/image: .* tag that does not move/),
    });
  });

  it("is less where less is wrong", () => {
    expect(policies({ image: "docker.io/library/nginx:1.29.3" })).not.toContain("wl-image-tag");
  });

  it("takes a secret for a value that is not known", () => {
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:abc" };
    expect(policies({ image: secret })).not.toContain("wl-image-tag");
  });

  it("is nothing of a stack that has nothing", () => expect(verdicts([], strictest)).toEqual([]));
});
