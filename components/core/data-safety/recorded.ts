/** The arguments that a component records in Pulumi's state. As soon as one changes, a preview prints all of them. */
import type { MailArgs } from "../mail-args.ts";
import type { ImagesArgs, SecretsArgs, StorePlatformArgs } from "../platform-args.ts";

/** The recorded fields of the platform's block: those that later changes are compared with, and those that policies judge. The objects show all others. */
export interface RecordedPlatform
  extends Pick<StorePlatformArgs, "privateCa" | "existingNamespaces" | "limits" | "allowDataLoss"> {
  readonly secrets?: Pick<SecretsArgs, "existing"> | undefined;
  readonly images?: Pick<ImagesArgs, "mirrors"> | undefined;
  readonly mail?: Pick<MailArgs, "password"> | undefined;
}

/** The arguments of a component as they are recorded. */
export type Recorded<Args> = Args extends { readonly platform: StorePlatformArgs }
  ? Omit<Args, "platform"> & { readonly platform: RecordedPlatform } & ByDefault
  : Args;

interface ByDefault {
  /** Arguments that nobody named: their default is recorded, and a later one is no wish for a change. @default none */
  readonly byDefault?: readonly string[];
}

/** A component's arguments as they are recorded: its own as they are. */
export function recorded<Args extends { readonly platform?: StorePlatformArgs }>(args: Args): Recorded<Args> {
  const { platform, ...own } = args;
  return { ...own, ...(platform && { platform: recordedPlatform(platform) }) } as Recorded<Args>;
}

/** The same, with a default that a later release may raise. */
export function recordedWithDefault<
  Args extends { readonly platform: StorePlatformArgs },
  Key extends keyof Args & string,
>(args: Args, key: Key, value: Args[Key]): Recorded<Args> {
  if (args[key] !== undefined) return recorded(args);
  return { ...recorded(args), [key]: value, byDefault: [key] } as Recorded<Args>;
}

function recordedPlatform({
  secrets,
  images,
  mail,
  privateCa,
  existingNamespaces,
  limits,
  allowDataLoss,
}: StorePlatformArgs): RecordedPlatform {
  return {
    secrets: secrets?.existing && { existing: secrets.existing },
    images: images?.mirrors && { mirrors: images.mirrors },
    mail: mail?.password && { password: mail.password },
    privateCa,
    existingNamespaces,
    limits,
    allowDataLoss,
  };
}
