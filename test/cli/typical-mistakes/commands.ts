import type { CommandMistake } from "./mistake.ts";

/** What people type in their first week, in the folder of stack `prod`. `DEAD` is a kubeconfig whose server is gone, `ODD` one without its user. */
export const commandMistakes: Readonly<Record<string, CommandMistake>> = {
  "a command with a slip": {
    ...{ args: ["valdate"], at: "'valdate'" },
    ...{ says: "Unknown command 'valdate'.", remedy: "Did you mean validate?" },
  },
  "an option with a slip": {
    ...{ args: ["validate", "--stak", "prod"], at: "'--stak'" },
    ...{ says: "Unknown option '--stak'.", remedy: "Did you mean --stack?" },
  },
  "no stack": {
    ...{ args: ["render", "--out", "x"], at: "--stack" },
    ...{ says: "Required option '--stack <STACK>' not specified.", remedy: "The stacks here: prod." },
  },
  "a stack that is not there": {
    ...{ args: ["graph", "--stack", "produktion", "--out", "x.svg"], at: "Pulumi.produktion.yaml" },
    ...{ says: "does not exist.", remedy: "The stacks here: prod." },
  },
  "a stack by its file": {
    ...{ args: ["validate", "--stack", "Pulumi.prod.yaml"], at: "'--stack <STACK>'" },
    ...{ says: "It is the stack's file", remedy: "write its name, prod." },
  },
  "a stack's file as a suite's": {
    ...{ args: ["validate", "Pulumi.prod.yaml", "--offline"], at: "Pulumi.prod.yaml:1:1" },
    ...{ says: "is the file of a stack", remedy: "`./hearth validate --stack prod`" },
  },
  "a folder as a suite's file": {
    ...{ args: ["validate", "suites", "--offline"], at: "suites:1:1" },
    ...{ says: "suites is not a file.", remedy: "Name a file, not a folder." },
  },
  "a folder that has no stacks": {
    ...{ args: ["--folder", "suites", "validate", "--stack", "prod"], at: "suites/Pulumi.yaml" },
    ...{ says: "--folder names the folder of the stacks", remedy: "docs/how-to/own-repository.md has one to copy" },
  },
  "nowhere to write": {
    ...{ args: ["render", "--stack", "prod"], at: "--out" },
    ...{ says: "is missing", remedy: "'--gitops <FOLDER>'" },
  },
  "a name that Kubernetes refuses": {
    ...{ args: ["init", "My Suite", "--yes"], at: "'NAME'" },
    ...{ says: "The value is not a DNS label.", remedy: "Use 1 to 63 lower-case letters" },
  },
  "a suite that is there already": {
    ...{ args: ["init", "example", "--yes"], at: "suites/example/config.yaml" },
    ...{ says: "exists already", remedy: "name another file (--out)" },
  },
  "a stack that is written already": {
    ...{ args: ["init", "team", "--stack", "prod", "--offline", "--yes"], at: "Pulumi.prod.yaml" },
    ...{ says: "has settings already", remedy: "Name another stack, or write the suite alone" },
  },
  "a class without a stack": {
    ...{ args: ["init", "team", "--storage", "gp3", "--yes"], at: "A class or region" },
    ...{ says: "is allowed by a stack", remedy: "name it with --stack" },
  },
  "a kubeconfig that is not there": {
    ...{ args: ["doctor", "--stack", "prod", "--kubeconfig", "/none"], at: "The kubeconfig /none" },
    ...{ says: "does not exist.", remedy: "Correct --kubeconfig" },
  },
  "no kubeconfig at all": {
    ...{ args: ["doctor", "--stack", "prod"], at: "/nowhere/config" },
    ...{ says: "There is no kubeconfig", remedy: "its path into KUBECONFIG." },
  },
  "a context that is not there": {
    ...{ args: ["doctor", "--stack", "prod", "--kubeconfig", "DEAD", "--context", "other"], at: 'The context "other"' },
    ...{ says: "does not exist; the kubeconfig", remedy: "Correct hearth:kubernetes.context or --context" },
  },
  "a context without its user": {
    ...{ args: ["doctor", "--stack", "prod", "--kubeconfig", "ODD"], at: 'context "prod"' },
    ...{ says: 'names user "gone", who is not there.', remedy: "Add it." },
  },
  "a cluster that is switched off": {
    ...{ args: ["status", "--stack", "prod", "--kubeconfig", "DEAD"], at: 'https://127.0.0.1:1 of context "prod"' },
    ...{ says: "can't be reached", remedy: "See whether it runs, and whether this context is the right one." },
  },
  "the sandbox that does not run": {
    ...{ args: ["sandbox", "kubectl", "get", "pods"], at: 'The sandbox "unit-mistakes"' },
    ...{ says: "is not running", remedy: 'start it with "./hearth sandbox start --no-up".' },
  },
  "no Pulumi": {
    ...{ args: ["gate", "--stack", "prod"], at: "PATH" },
    ...{ says: 'There is no "pulumi" on PATH', remedy: "install it, or name --sandbox" },
  },
  "a Pulumi that npm can't download": {
    ...{ args: ["gate", "--stack", "prod"], pulumi: "Downloading pulumi v3.265.0...\npulumi: fetch failed" },
    ...{ at: "get.pulumi.com", says: "fetch failed", remedy: "set HTTPS_PROXY and NODE_USE_ENV_PROXY=1" },
  },
  "no login": {
    ...{ args: ["gate", "--stack", "prod"], at: "PULUMI_BACKEND_URL" },
    ...{ pulumi: "error: PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions" },
    ...{
      says: "PULUMI_ACCESS_TOKEN must be set",
      remedy: "Log in to the backend of your states with `npx pulumi login`",
    },
  },
  "another backend": {
    ...{ args: ["heal", "--stack", "prod"], pulumi: "error: no stack named 'prod' found", at: "'prod'" },
    ...{ says: "no stack named 'prod' found", remedy: "Log in where the stack is, or make it here" },
  },
  "no passphrase": {
    ...{ args: ["gate", "--stack", "prod"], at: "PULUMI_CONFIG_PASSPHRASE" },
    ...{
      pulumi:
        "error: getting stack configuration: get stack secrets manager: passphrase must be set with PULUMI_CONFIG_PASSPHRASE",
    },
    ...{ says: "passphrase must be set", remedy: "the passphrase that the stack was made with" },
  },
  "another passphrase": {
    ...{ args: ["gate", "--stack", "prod"], at: "PULUMI_CONFIG_PASSPHRASE" },
    ...{ pulumi: "error: getting stack configuration: get stack secrets manager: incorrect passphrase" },
    ...{ says: "incorrect passphrase", remedy: "docs/how-to/state.md" },
  },
  "policies that are not there": {
    ...{ args: ["gate", "--stack", "prod", "--policy-config", "none.json"], at: "none.json" },
    ...{ says: "does not exist", remedy: "Correct --policy-config, or leave it out" },
  },
  "a delivery that needs the engine": {
    ...{ args: ["render", "--stack", "prod", "--gitops", "d", "--repository", "https://git.example.org/x.git"] },
    ...{
      at: "Pulumi.prod.yaml:",
      says: "by tags, whose content may change.",
      remedy: "./hearth images lock --stack prod.",
    },
  },
  "a kit for nobody": {
    ...{ args: ["kit", "--stack", "prod", "--out", "x"], at: "hearth:kit.recipients" },
    ...{ says: "names no key to encrypt it for.", remedy: "Make two keys with age-keygen" },
  },
};
