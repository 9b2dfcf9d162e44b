import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { isImageTag } from "./image-reference.ts";
import { alternatives, error, type Problem } from "./problems.ts";
import { parseQuantity } from "./quantities.ts";

/** Rules on one value. Each gives the problems of the value at `path`; an absent value has none. */

/** Forms that JSON Schema can tell, too. */
export const forms = {
  dnsLabel: "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$",
  cpu: "^[1-9][0-9]*m$",
  bytes: "^[1-9][0-9]*(Ki|Mi|Gi|Ti|Pi)$",
} as const;

const label = new RegExp(forms.dnsLabel);
const labelRemedy = "Use 1 to 63 lower-case letters, digits and dashes, with a letter or digit first and last.";

/** One of a few words. @param otherwise what else to do about another one, a sentence after a space @default nothing */
export function fixedSet(
  path: string,
  found: string | undefined,
  allowed: readonly string[],
  otherwise: (found: string) => string = () => "",
): Problem[] {
  if (found === undefined || allowed.includes(found)) return [];
  return [error("value", path, "The value is not allowed.", `Write ${alternatives(allowed)}.${otherwise(found)}`)];
}

/** A DNS label, as Kubernetes wants for a namespace (RFC 1123). */
export function dnsLabel(path: string, value: string | undefined): Problem[] {
  if (value === undefined || label.test(value)) return [];
  return [error("dns-label", path, "The value is not a DNS label.", labelRemedy)];
}

/** DNS labels. */
export function dnsLabels(path: string, values: readonly string[] | undefined): Problem[] {
  return (values ?? []).flatMap((value, index) => dnsLabel(`${path}[${index}]`, value));
}

/** The name of a namespace that may be ours: a DNS label that Kubernetes has not reserved. */
export function namespaceName(path: string, value: string | undefined): Problem[] {
  const problems = dnsLabel(path, value);
  if (problems.length > 0 || !value?.startsWith("kube-")) return problems;
  return [
    error(
      "namespace-reserved",
      path,
      "The value is reserved by Kubernetes.",
      "Choose a name that does not start with `kube-`.",
    ),
  ];
}

/** The namespace of something that makes it, so that it must not be there from the start. */
export function ownNamespaceName(path: string, value: string | undefined): Problem[] {
  if (value !== "default") return namespaceName(path, value);
  return [
    error(
      "namespace-reserved",
      path,
      "The value is Kubernetes' default namespace.",
      "Choose another name, for example team.",
    ),
  ];
}

/** A character that no URL has (RFC 3986). */
export const notInUrl = /[\s"\\<>^`{|}]/;

/** The problem of a schedule that never comes. */
export function neverProblem(code: string, path: string): Problem {
  return error(
    code,
    path,
    "The schedule never comes: its months don't have the day.",
    "Write a day that they have. Every month has 28 days.",
  );
}

/** A text that is one line of characters one can see. */
export function controlCharacters(path: string, value: unknown): Problem[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  if (typeof value !== "string" || !/[\u0000-\u001f\u007f]/.test(value)) return [];
  return [
    error(
      "control-character",
      path,
      "The value has a control character.",
      "Write it on one line, without tabs and other control characters.",
    ),
  ];
}

/** The part before an `@` in an address is a secret and is never shown. @param instead where the secret belongs, as a sentence */
export function addressCredentials(path: string, value: string | undefined, instead: string): Problem[] {
  if (value === undefined || !/^(?:[a-z0-9+.-]+:\/\/)?[^/\s]*@/i.test(value)) return [];
  return [
    error(
      "secret",
      path,
      "The address holds credentials.",
      `Remove them, and change them, because they were in a file. ${instead}`,
    ),
  ];
}

/** An address with credentials in any other text, for which no field beside it takes them; of a Secure Shell address the user alone is none. */
export function heldCredentials(path: string, value: unknown): Problem[] {
  if (typeof value !== "string" || !value.includes("://")) return [];
  // Cut first: one expression for a whole address would begin at every label of a long name.
  const pieces = value.split("://");
  const found = pieces.slice(1).flatMap((after, index) => {
    const [scheme] = /[a-z][a-z0-9+.-]*$/i.exec((pieces[index] ?? "").slice(-longestScheme)) ?? [];
    const [, user = ""] = /^([^\s/@]*)@/.exec(after) ?? [];
    const isCredential = scheme !== undefined && user !== "" && (!/ssh$/i.test(scheme) || user.includes(":"));
    return isCredential ? [`${scheme}://${user}@`] : [];
  });
  const [first] = found;
  if (first === undefined) return [];
  return addressCredentials(path, first, "Keep them in a Secret, and name it if the setting has a field for that.");
}

/** Characters of a scheme that are looked at: the longest in use has some twenty. */
const longestScheme = 30;

/** The host of a server inside or outside the cluster: a DNS name of any number of labels, or an IP address. */
export function serverHost(path: string, value: string | undefined): Problem[] {
  const problems = addressCredentials(
    path,
    value,
    "User and password have their own fields: `password` names a Secret.",
  );
  if (value === undefined || problems.length > 0 || isIP(value) !== 0) return problems;
  if (value.length <= 253 && value.split(".").every((part) => label.test(part))) return [];
  return [
    error(
      "server-host",
      path,
      "The value is not the host of a server.",
      "Write only its DNS name, for example db.example.org. The port has its own field.",
    ),
  ];
}

/** A public host: at least two labels in lower case, no scheme, port, path, wildcard or final dot, at most 253 characters. */
export function hostName(path: string, value: string | undefined): Problem[] {
  if (value === undefined) return [];
  const wrong = hostProblem(value);
  if (wrong === undefined) return [];
  const [problem, remedy] = wrong;
  return [error("host-name", path, `The value ${problem}.`, remedy)];
}

function hostProblem(host: string): [problem: string, remedy: string] | undefined {
  const plain = "Write only the host name, for example cloud.example.org.";
  if (host === "") return ["is empty", plain];
  if (host.includes("://")) return ["has a scheme", plain];
  if (isIP(host.replace(/^\[|\]$/g, "")) !== 0)
    return ["is an IP address", "Write a host name; certificates are issued for names."];
  if (/[/?#@]/.test(host)) return ["has more than a host name", plain];
  if (/:\d*$/.test(host)) return ["has a port", "Leave out the port: public hosts are served on 443."];
  if (host.includes("*")) return ["has a wildcard", "Name one host."];
  if (host.endsWith(".")) return ["ends with a dot", "Leave out the final dot."];
  if (host.length > 253) return [`has ${host.length} characters`, "A host name has at most 253 characters."];
  if (/[A-Z]/.test(host)) return ["has upper-case letters", "Write it in lower case."];
  const ascii = /[^\0-\x7f]/.test(host) ? domainToASCII(host) : "";
  if (ascii !== "" && hostProblem(ascii) === undefined)
    return ["has letters outside ASCII", `Write its ASCII form: ${ascii}.`];
  const labels = host.split(".");
  const bad = labels.find((part) => !label.test(part));
  if (bad !== undefined) return ["has a label that is not a DNS label", labelRemedy];
  if (labels.length < 2) return ["has only one label", "Write the full name, for example cloud.example.org."];
  if (/^\d+$/.test(labels.at(-1) ?? ""))
    return ["ends in a number", "A public host ends in a top-level domain such as .org."];
  return undefined;
}

/** The tag of a container image, without repository and digest. */
export function imageTag(path: string, value: string | undefined): Problem[] {
  if (value === undefined || isImageTag(value)) return [];
  const remedy = /[/:@]/.test(value)
    ? "Write only the tag, without image name and digest. `platform.images.mirrors` redirects images."
    : "A tag has 1 to 128 letters, digits, dots, dashes and underscores, and does not start with a dot or dash.";
  return [error("image-tag", path, "The value is not an image tag.", remedy)];
}

/** The name of an S3 bucket. */
export function bucketName(path: string, value: string | undefined): Problem[] {
  const valid = (name: string) =>
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !/\.\.|\.-|-\.|^xn--|-s3alias$/.test(name) && isIP(name) === 0;
  if (value === undefined || valid(value)) return [];
  // Most names are made of several settings: the one that is told of may look short.
  const isLong = value.length > 63;
  return [
    error(
      "bucket-name",
      path,
      isLong ? `The bucket's name has ${value.length} characters.` : "The value is not a bucket name.",
      `Use 3 to 63 lower-case letters, digits, dashes and single dots, with a letter or digit first and last.${isLong ? " In a name like <use>-<suffix>-<namespace> each part counts." : ""}`,
    ),
  ];
}

/** URL of an S3-compatible endpoint: https, a host name, perhaps a port, and nothing else. */
export function endpointUrl(path: string, value: string | undefined): Problem[] {
  if (value === undefined) return [];
  const example = "Write it like https://fsn1.your-objectstorage.com.";
  // Before an @, and behind the host, there may be a secret: that is not shown.
  if (value.includes("@"))
    return [
      error(
        "endpoint",
        path,
        "The URL holds credentials.",
        "Remove them, and change them, because they were in a file. Keys come from the credentials Secret.",
      ),
    ];
  const url = URL.parse(value);
  if (url === null || /\s/.test(value)) return [error("endpoint", path, "The value is not a URL.", example)];
  if (url.protocol !== "https:") return [error("endpoint", path, "The value does not start with https://.", example)];
  if (value !== `https://${url.host}`)
    return [error("endpoint", path, "The URL is not just https:// and a host.", example)];
  const host = hostProblem(url.hostname);
  return host ? [error("endpoint", path, `The host of the URL ${host[0]}.`, example)] : [];
}

/** CPU in the millicore form, e.g. `200m`. */
export function cpu(path: string, value: string | undefined): Problem[] {
  if (value === undefined || (new RegExp(forms.cpu).test(value) && fits(value))) return [];
  const cores = parseQuantity(value);
  const millicores = cores !== undefined && cores > 0 ? Math.ceil(cores * 1000) : undefined;
  const remedy = `Write millicores without sign or fraction, for example ${Number.isSafeInteger(millicores) ? millicores : 200}m.`;
  return [error("cpu", path, "The value is not CPU in millicores.", remedy)];
}

/** Memory or volume size in the binary-suffix form, e.g. `512Mi`. */
export function bytes(path: string, value: string | undefined): Problem[] {
  if (value === undefined || (new RegExp(forms.bytes).test(value) && fits(value))) return [];
  return [
    error(
      "size",
      path,
      "The value is not a size with a binary suffix.",
      "Write a whole number above 0, directly followed by Ki, Mi, Gi, Ti or Pi, for example 512Mi or 10Gi.",
    ),
  ];
}

/** The API server keeps quantities as 64-bit numbers. */
function fits(quantity: string): boolean {
  return (parseQuantity(quantity) ?? Number.POSITIVE_INFINITY) < 2 ** 63;
}

/** A number of calls. */
export function calls(path: string, value: number | undefined): Problem[] {
  if (value === undefined || (Number.isInteger(value) && value > 0)) return [];
  return [error("limit", path, `${value} lets nothing through.`, "Write a whole number above 0.")];
}
