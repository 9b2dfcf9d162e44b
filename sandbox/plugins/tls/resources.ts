import type { GeneratedResource } from "../generated.ts";
import { certRequest, locallySignedCert, selfSignedCert } from "./certificates.ts";
import { privateKey } from "./private-key.ts";

/** The types this provider has. */
export const resources: Record<string, GeneratedResource> = {
  "tls:index/certRequest:CertRequest": certRequest,
  "tls:index/locallySignedCert:LocallySignedCert": locallySignedCert,
  "tls:index/privateKey:PrivateKey": privateKey,
  "tls:index/selfSignedCert:SelfSignedCert": selfSignedCert,
};
