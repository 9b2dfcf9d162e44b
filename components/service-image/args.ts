// Written by `npm run generate` from schema.ts: change that.

/** How the image is built and pushed. */
export interface ServiceImageBuildArgs {
  /** Folder with the Dockerfile and everything it copies, relative to the project. */
  context: string;
  /** Image with Node 24 as its entry point, with a digest or a tag that never moves, e.g. `gcr.io/distroless/nodejs24-debian13:nonroot`. @default the Dockerfile's */
  baseImage?: string;
  /** Platforms to build for, e.g. `linux/amd64`. @default the one of the builder */
  platforms?: string[];
}

/** The common image of the site webhook and the hub's sign-in adapter, built and pushed once. */
export interface ServiceImageArgs {
  /** Name of the image, e.g. `registry.example.org/hearth/services:1.0.0`. New content needs a new tag. */
  image: string;
  /** How it is built. */
  build: ServiceImageBuildArgs;
}
