import type { ServiceImageArgs } from "@hearth-platform/hearth/service-image/args";
import { digestOf } from "@hearth-platform/hearth/service-image/image";
import { serviceImageProblems } from "@hearth-platform/hearth/service-image/schema";
import { describe, expect, test } from "vitest";

const image: ServiceImageArgs = {
  image: "registry.example.org/hearth/site-webhook:1a2b",
  build: { context: "webhook" },
};

describe("the image of the services", () => {
  test("has no problem when it is sound", () => expect(serviceImageProblems(image)).toEqual([]));

  test.each<[string, Partial<ServiceImageArgs>, string]>([
    ["a digest before it is built", { image: `registry.example.org/a@sha256:${"0".repeat(64)}` }, "image image"],
    ["an image without a registry", { image: "site-webhook:1" }, "image image"],
    ["no platform", { build: { context: "webhook", platforms: [] } }, "platform build.platforms"],
  ])("is refused for %s", (_, change, expected) => {
    expect(serviceImageProblems({ ...image, ...change }).map(({ code, path }) => `${code} ${path}`)).toEqual([
      expected,
    ]);
  });
});

describe("the digest of what was pushed", () => {
  const reference = "registry.example.org/hook:1a2b";
  const digest = `sha256:${"0".repeat(64)}`;

  test("is that of the image deployed", () => expect(digestOf(`${reference}@${digest}`, reference)).toBe(digest));
  test("is empty where nothing was pushed", () => expect(digestOf(reference, reference)).toBe(""));
  test("is no other image's", () => {
    expect(() => digestOf(`registry.example.org/hook:9@${digest}`, reference)).toThrow(/in the place of/);
  });
});
