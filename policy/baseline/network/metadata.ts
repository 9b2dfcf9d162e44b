import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";

/** The address by which clouds give a node its identity, in its forms. */
const addresses = [
  String.raw`169\.254\.169\.254(?:\.nip\.io)?`,
  String.raw`169\.254\.170\.2`,
  String.raw`100\.100\.100\.200`,
  String.raw`\[?fd00:ec2::254\]?`,
  String.raw`metadata\.google\.internal\.?`,
  String.raw`instance-data(?:\.ec2\.internal)?`,
  "2852039166|0xa9fea9fe|0251\\.0376\\.0251\\.0376",
].join("|");
const inAddress = new RegExp(String.raw`\/\/(?:[^\s/@]*@)?(?:${addresses})(?=[:/?\s"']|$)`, "i");
const alone = new RegExp(String.raw`^(?:${addresses})(?::\d+)?(?:\/(?!\d+$).*)?$`, "i");

export const cloudMetadata = resourcePolicy({
  id: "net-metadata",
  title: "No way to the cloud's metadata",
  rule: "No object leads to the address by which a cloud gives a node its identity: no Service, EndpointSlice, probe, route, host alias or address in a setting.",
  severity: PolicySeverity.critical,
  level: EnforcementLevel.mandatory,
  remediation: "Give the workload an identity of its own, and leave the address out.",
  unseen: "Names that lead to the address by DNS, redirects, and ways that a network policy leaves open.",
  tags: ["network", "security"],
  settings: {},
  kinds: "any",
  *check(resource) {
    if (resource.apiVersion === "" || resource.groupKind === "networking.k8s.io/NetworkPolicy") return;
    for (const { text, name, keys } of resource.texts) {
      const isList = /no_?proxy/i.test(name) || keys.includes("except");
      const found = inAddress.test(text) || (resource.groupKind !== "ConfigMap" && alone.test(text));
      if (found && !isList)
        yield violation(resource.get(...keys), "It must not be the address of the cloud's metadata.");
    }
  },
});
