import { join } from "node:path";
import { Container } from "../../../support/container.ts";

const scripts = join(import.meta.dirname, "../../../../components/forge/scripts");

/** A container of the forge's images; fakes in `image` are the image's own scripts. */
export class ForgeContainer extends Container {
  constructor() {
    super(scripts);
  }

  override environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
    return super.environment({
      IMAGE_SCRIPTS: join(this.folder, "image"),
      RAILS: join(this.folder, "rails"),
      CONFIG_DIRECTORY: join(this.folder, "config"),
      ...more,
    });
  }
}

/** Path of a script on this machine. */
export function scriptPath(name: string): string {
  return join(scripts, name);
}
