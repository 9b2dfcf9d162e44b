/** Kinds of registries that a project may be a cache of, as the hub names them. (goharbor/harbor-helm 1.18, templates/core/core-cm.yaml) */
export const proxyCacheKinds: readonly string[] = [
  "ali-acr",
  "aws-ecr",
  "azure-acr",
  "docker-hub",
  "docker-registry",
  "github-ghcr",
  "google-gcr",
  "harbor",
  "jfrog-artifactory",
];
