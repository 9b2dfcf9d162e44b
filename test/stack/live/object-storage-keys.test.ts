import { credentialsOf } from "@hearth-platform/stack/live/object-storage-keys";
import { expect, test } from "vitest";

const keys = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };

test("the keys of an object store are the environment's, with the token of a session where there is one", () => {
  const own = { accessKeyId: "id", secretAccessKey: "secret" };
  expect(credentialsOf(keys)).toEqual({ credentials: own });
  expect(credentialsOf({ ...keys, AWS_SESSION_TOKEN: "" })).toEqual({ credentials: own });
  expect(credentialsOf({ ...keys, AWS_SESSION_TOKEN: "t" })).toEqual({ credentials: { ...own, sessionToken: "t" } });
});

test.each(["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])(
  "without %s in the environment the SDK looks for both keys itself, as every AWS tool does",
  (name) => expect(credentialsOf({ ...keys, [name]: undefined })).toEqual({}),
);
