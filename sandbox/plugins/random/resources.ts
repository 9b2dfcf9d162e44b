import type { GeneratedResource } from "../generated.ts";
import { randomPassword, randomString } from "./text.ts";
import { randomBytes, randomId, randomInteger, randomPet, randomShuffle, randomUuid } from "./values.ts";

/** The types this provider has. */
export const resources: Record<string, GeneratedResource> = {
  "random:index/randomBytes:RandomBytes": randomBytes,
  "random:index/randomId:RandomId": randomId,
  "random:index/randomInteger:RandomInteger": randomInteger,
  "random:index/randomPassword:RandomPassword": randomPassword,
  "random:index/randomPet:RandomPet": randomPet,
  "random:index/randomShuffle:RandomShuffle": randomShuffle,
  "random:index/randomString:RandomString": randomString,
  "random:index/randomUuid:RandomUuid": randomUuid,
};
