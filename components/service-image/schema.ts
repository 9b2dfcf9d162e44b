import { judged } from "../core/arguments.ts";
import { fixedImage } from "../core/image-rules.ts";
import { as, block, optional, text, texts } from "../core/schema.ts";
import { buildPlatforms, imageToBuild } from "./value-rules.ts";

export const serviceImageBuild = block("ServiceImageBuildArgs", "How the image is built and pushed.", {
  context: text("Folder with the Dockerfile and everything it copies, relative to the project."),
  baseImage: optional(
    text(
      "Image with Node 24 as its entry point, with a digest or a tag that never moves, e.g. `gcr.io/distroless/nodejs24-debian13:nonroot`.",
      { rule: fixedImage },
    ),
    "the Dockerfile's",
  ),
  platforms: optional(
    texts("Platforms to build for, e.g. `linux/amd64`.", { rule: buildPlatforms }),
    "the one of the builder",
  ),
});

export const serviceImage = block(
  "ServiceImageArgs",
  "The common image of the site webhook and the hub's sign-in adapter, built and pushed once.",
  {
    image: text("Name of the image, e.g. `registry.example.org/hearth/services:1.0.0`. New content needs a new tag.", {
      rule: imageToBuild,
    }),
    build: as(serviceImageBuild, "How it is built."),
  },
);

/** Everything wrong with the arguments, before anything is created. */
export const serviceImageProblems = judged(serviceImage, []);
