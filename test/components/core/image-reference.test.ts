import { isDigest, isImageTag, parseImage, pullPlace } from "@hearth-platform/hearth/core/image-reference";
import { describe, expect, it } from "vitest";

const digest = `sha256:${"0a".repeat(32)}`;

describe("an image's name is taken apart", () => {
  it.each([
    ["alpine", { repository: "alpine", path: "alpine" }],
    ["alpine:3.22", { repository: "alpine", path: "alpine", tag: "3.22" }],
    ["library/alpine", { repository: "library/alpine", path: "library/alpine" }],
    ["localhost/a", { repository: "localhost/a", host: "localhost", path: "a" }],
    ["registry:5000/a:1", { repository: "registry:5000/a", host: "registry:5000", path: "a", tag: "1" }],
    [
      `ghcr.io/a/b_c__d--e:v1@${digest}`,
      { repository: "ghcr.io/a/b_c__d--e", host: "ghcr.io", path: "a/b_c__d--e", tag: "v1", digest },
    ],
  ])("%s", (image, parts) => expect(parseImage(image)).toEqual(parts));

  it.each(["", "Alpine", "a b", "https://docker.io/a", "docker.io/", "a:", "a@sha256:1", "a..b", "a/-b", "u:p@host/a"])(
    "%j is none",
    (image) => expect(parseImage(image)).toBeUndefined(),
  );
});

it("an image is looked for where a container runtime looks for it", () => {
  const place = (image: string) => pullPlace(parseImage(image) ?? expect.fail(image));
  expect(place("alpine")).toEqual({ host: "docker.io", path: "library/alpine" });
  expect(place("a/b")).toEqual({ host: "docker.io", path: "a/b" });
  expect(place("quay.io/b")).toEqual({ host: "quay.io", path: "b" });
});

it("an image's tag and digest have their forms, and nothing else passes for one", () => {
  expect(["1.0", "_x", "a".repeat(128)].every(isImageTag)).toBe(true);
  expect(["", "-x", ".x", "a b", "a".repeat(129)].some(isImageTag)).toBe(false);
  expect([isDigest(digest), isDigest(digest.slice(1)), isDigest(`${digest}0`)]).toEqual([true, false, false]);
});
