import { CloudSuite } from "@hearth-platform/hearth/cloudsuite/cloudsuite";
import { beforeAll, describe, expect, test } from "vitest";
import { type RegisteredResource, registered, waitsFor } from "../../support/pulumi-mocks.ts";
import { completeSuite } from "./suite.ts";

const typeToken = "hearth:index:CloudSuite";

describe("the component", () => {
  let resources: RegisteredResource[];
  let suite: CloudSuite;

  beforeAll(async () => {
    resources = await registered(() => {
      suite = new CloudSuite("team", completeSuite);
    });
  });

  const find = (type: string, name: string): RegisteredResource => {
    const found = resources.find((resource) => resource.type === type && resource.name === name);
    if (!found) throw new Error(`${type} ${name} is missing.`);
    return found;
  };

  test("has its stores in it and guards its arguments against changes that lose data", () => {
    const children = resources.filter(({ parent }) => parent === `${typeToken}::team`).map(({ type }) => type);
    expect(children).toEqual(
      expect.arrayContaining(["hearth:index:ObjectStorage", "hearth:index:Database", "hearth:index:Keystore"]),
    );
    expect(find(typeToken, "team").beforeUpdate).toEqual([`${typeToken}/team`]);
    expect(find(typeToken, "team").inputs.domain).toBe("cloud.example.org");
  });

  test("makes its stores in its namespace, which exists before them", () => {
    const namespace = "kubernetes:core/v1:Namespace::team/team";
    expect(find("kubernetes:core/v1:Namespace", "team/team").protect).toBe(true);
    const keystore = find("kubernetes:apps/v1:StatefulSet", "team-keystore/keystore");
    const database = find("kubernetes:postgresql.cnpg.io/v1:Cluster", "team-db/cloudsuite-db");
    for (const { dependsOn } of [keystore, database]) expect(waitsFor(resources, dependsOn)).toContain(namespace);
  });

  test("starts the web after database, pooler, keystore and buckets", () => {
    const { dependsOn } = find("kubernetes:apps/v1:Deployment", "team/cloudsuite");
    expect([...waitsFor(resources, dependsOn)]).toEqual(
      expect.arrayContaining([
        "kubernetes:postgresql.cnpg.io/v1:Pooler::team-db/cloudsuite-db-pooler",
        "kubernetes:apps/v1:StatefulSet::team-keystore/keystore",
        "aws:s3/bucket:Bucket::team-storage/data-team-a1b2",
        "kubernetes:core/v1:Secret::team/cloudsuite-admin",
      ]),
    );
  });

  test("keeps the volume with the keys to the data when it leaves the program", () => {
    expect(find("kubernetes:core/v1:PersistentVolumeClaim", "team/cloudsuite")).toMatchObject({
      protect: true,
      retainOnDelete: true,
    });
  });

  test("gives its addresses, its administrator and its connections, all but the password known at preview", () => {
    expect(suite.endpoints).toEqual({
      web: "https://cloud.example.org",
      office: "https://office.cloud.example.org",
      whiteboard: "https://cloud.example.org/whiteboard",
    });
    expect(suite.adminUser).toBe("admin");
    expect(suite.adminPassword).toBeDefined();
    expect(suite.connections.database.host).toBe("cloudsuite-db-pooler.team.svc");
    expect(suite.connections.keystore.host).toBe("keystore.team.svc");
    expect(suite.connections.objectStore.credentials).toBe("object-store");
  });
});
