/** The keys of the environment; where it has none, the SDK finds them as every AWS tool does. */
export function credentialsOf(environment: NodeJS.ProcessEnv) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = environment;
  if (!accessKeyId || !secretAccessKey) return {};
  return { credentials: { accessKeyId, secretAccessKey, sessionToken: AWS_SESSION_TOKEN || undefined } };
}
