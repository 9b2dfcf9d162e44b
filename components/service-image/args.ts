// Written by `npm run generate` from schema.ts: change that.

/** How the image is built and pushed. */
export interface ServiceImageBuildArgs {
  /** Folder with the Dockerfile and all that it copies, relative to the project. */
  context: string;
  /** Image with Node 24 as its entry point. @default the Dockerfile's */
  baseImage?: string;
  /** Platforms to build for, e.g. `linux/amd64`. @default the one of the builder */
  platforms?: string[];
}

/** The one image of the platform's own services, the site webhook and the hub's sign-in adapter: built and pushed once for both. */
export interface ServiceImageArgs {
  /** Its name, `repository:tag`; another content needs another tag. */
  image: string;
  /** How it is built. */
  build: ServiceImageBuildArgs;
}
