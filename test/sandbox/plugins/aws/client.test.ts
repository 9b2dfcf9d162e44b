import { attempt, createClient, isNotFound, readSettings } from "@hearth-platform/sandbox/plugins/aws/client";
import { describe, expect, test } from "vitest";

const skips = { "aws:config:skipCredentialsValidation": "true", "aws:config:skipRequestingAccountId": "true" };
const inRegion = { ...skips, "aws:config:region": "fsn1" };

describe("readSettings", () => {
  test("reads nested settings as the SDK sends them, as JSON", () => {
    const settings = readSettings(
      {
        ...inRegion,
        "aws:config:endpoints": '[{"s3":"https://objects.example.org","s3control":"https://objects.example.org"}]',
        "aws:config:s3UsePathStyle": "true",
        "aws:config:accessKey": "key",
        "aws:config:secretKey": "secret",
      },
      {},
    );

    expect(settings).toEqual({
      region: "fsn1",
      endpoint: "https://objects.example.org",
      usePathStyle: true,
      credentials: { accessKeyId: "key", secretAccessKey: "secret", sessionToken: undefined },
    });
  });

  test("an endpoint of the settings wins over the environment, older variables over newer ones", async () => {
    const environment = { AWS_S3_ENDPOINT: "http://older", AWS_ENDPOINT_URL_S3: "http://newer" };

    expect(readSettings({ ...inRegion, "aws:config:endpoints": '[{"s3":"http://own"}]' }, environment).endpoint).toBe(
      "http://own",
    );
    expect(readSettings(inRegion, environment).endpoint).toBe("http://older");
    expect(readSettings(inRegion, { ...environment, TF_AWS_S3_ENDPOINT: "http://oldest" }).endpoint).toBe(
      "http://oldest",
    );
  });

  test("AWS_ENDPOINT_URL_S3 is left to the AWS SDK, which puts it before AWS_ENDPOINT_URL", () => {
    expect(readSettings(inRegion, { AWS_ENDPOINT_URL_S3: "http://s3", AWS_ENDPOINT_URL: "http://all" })).toEqual({
      region: "fsn1",
      usePathStyle: false,
    });
  });

  test("the region comes from the settings, then AWS_REGION, then AWS_DEFAULT_REGION", () => {
    const environment = { AWS_REGION: "second", AWS_DEFAULT_REGION: "third" };

    expect(readSettings(inRegion, environment).region).toBe("fsn1");
    expect(readSettings(skips, environment).region).toBe("second");
    expect(readSettings(skips, { AWS_DEFAULT_REGION: "third" }).region).toBe("third");
    expect(() => readSettings(skips, {})).toThrow("Missing region");
  });

  test.each([
    [{ "aws:config:region": "r", "aws:config:skipCredentialsValidation": "true" }],
    [{ "aws:config:region": "r", "aws:config:skipRequestingAccountId": "true" }],
  ])("%j fails at another S3 server, as it would when the official provider asks AWS for the account", (variables) => {
    expect(() => readSettings(variables, { AWS_ENDPOINT_URL_S3: "http://127.0.0.1:1" })).toThrow(
      "set skipCredentialsValidation and skipRequestingAccountId to true",
    );
    expect(() => readSettings(variables, {})).not.toThrow();
  });
});

test("a client addresses buckets by path when it is told so", async () => {
  const client = createClient({ region: "r", endpoint: "http://objects.example.org", usePathStyle: true });

  expect(await client.config.forcePathStyle).toBe(true);
  expect(await client.config.region()).toBe("r");
});

describe("errors", () => {
  const refusal = Object.assign(new Error("A header you provided implies functionality that is not implemented."), {
    name: "NotImplemented",
    $metadata: { httpStatusCode: 501 },
  });

  test("the server's code, words and status are passed on", async () => {
    await expect(attempt("creating S3 Bucket Policy (b)", Promise.reject(refusal))).rejects.toThrow(
      "creating S3 Bucket Policy (b): https response error StatusCode: 501, api error NotImplemented: A header you provided implies functionality that is not implemented.",
    );
  });

  test("not found is a status or a name, no other", () => {
    expect(isNotFound({ name: "NotFound", $metadata: { httpStatusCode: 404 } })).toBe(true);
    expect(isNotFound({ name: "NoSuchBucket" })).toBe(true);
    expect(isNotFound(refusal)).toBe(false);
  });
});
