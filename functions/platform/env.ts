// The one reader of environment variables.

/** Value of a variable that the stack sets. Throws when it is absent: the stack is wrong, not the caller. */
export function env(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`environment variable ${name} is not set`);
  return value;
}

/** Value of an optional variable; undefined when absent or empty. */
export function optionalEnv(name: string): string | undefined {
  const value = process.env[name];
  return value === '' ? undefined : value;
}
