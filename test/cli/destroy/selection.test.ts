import { select } from "@hearth-platform/cli/destroy/selection";
import type { StateResource } from "@hearth-platform/cli/heal/deployment";
import { describe, expect, it } from "vitest";

const urn = (type: string, name: string) => `urn:pulumi:dev::hearth::${type}::${name}`;
const component: StateResource = { urn: urn("hearth:index:Hub", "hub"), type: "hearth:index:Hub", custom: false };
const resource = (type: string, name: string, more: Partial<StateResource> = {}): StateResource => ({
  ...{ urn: urn(type, name), type, custom: true, id: name, parent: component.urn, ...more },
});
const data = resource("kubernetes:core/v1:Secret", "hub/login", { protect: true });
const selection = (...resources: StateResource[]) =>
  select({ version: 3, deployment: { resources: [component, ...resources] } });

describe("what a destroy keeps", () => {
  it("is what is protected, and nothing that was replaced already and is only to be deleted", () => {
    const replaced = resource("kubernetes:core/v1:Secret", "hub/former", { protect: true, delete: true });
    expect(selection(data, replaced)).toMatchObject({ kept: ["Secret hub/login"], going: [replaced.urn] });
  });

  it.each(["random:index/randomPassword:RandomPassword", "tls:index/privateKey:PrivateKey"])(
    "names no %s, which goes with its Secret",
    (type) => {
      const value = resource(type, "hub/login.password", { protect: true });
      expect(selection(data, value)).toMatchObject({ kept: ["Secret hub/login"], going: [], shown: [] });
      expect(selection({ ...value, protect: false }).shown).toEqual([]);
    },
  );

  it("is deleted with nothing that goes before it, and still with what stays", () => {
    const deployment = resource("kubernetes:apps/v1:Deployment", "hub/core");
    const withGoing = { ...data, deletedWith: deployment.urn };
    const withStaying = resource("kubernetes:core/v1:Secret", "hub/key", { protect: true, deletedWith: data.urn });
    const { resources = [] } = selection(withGoing, withStaying, deployment).state.deployment ?? {};
    expect(resources.find((each) => each.urn === data.urn)?.deletedWith).toBeUndefined();
    expect(resources.find((each) => each.urn === withStaying.urn)?.deletedWith).toBe(data.urn);
  });
});

it("what a destroy deletes is shown without providers, which are in the state alone", () => {
  const provider = resource("pulumi:providers:kubernetes", "own");
  const services = ["core", "portal"].map((name) => resource("kubernetes:core/v1:Service", `hub/${name}`));
  expect(selection(provider, ...services).shown).toEqual(["hub: 2 Service"]);
});

it("a stack that keeps nothing goes whole, with its components", () => {
  const service = resource("kubernetes:core/v1:Service", "hub/core");
  expect(selection(service)).toMatchObject({ kept: [], going: [component.urn, service.urn] });
});
