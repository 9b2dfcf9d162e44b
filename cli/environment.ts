/** The variables that lead to clusters and object stores: the caller's, or those of the running sandbox, which is no part of the product. */
export async function environmentOf(sandbox: boolean): Promise<NodeJS.ProcessEnv> {
  if (!sandbox) return process.env;
  const [{ openSandbox }, { sandboxEnvironment }] = await Promise.all([
    import("@hearth-platform/sandbox/sandbox"),
    import("@hearth-platform/sandbox/environment"),
  ]);
  return { ...process.env, ...sandboxEnvironment(await openSandbox()) };
}
