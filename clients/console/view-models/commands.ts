// A run's input as commands that create the same run elsewhere.
import type { CreateRun, Run } from '../../sdk/index.ts';

/** The request that created the run, without its key and empty members. */
export function requestOf({
  input,
  config,
  metadata = {},
}: Pick<Run, 'input' | 'config' | 'metadata'>): CreateRun {
  const isUsed = (member: object) => Object.keys(member).length > 0;
  return { ...input, ...(isUsed(config) && { config }), ...(isUsed(metadata) && { metadata }) };
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** For a shell; `RUNS_API_KEY` has the key. */
export function asCurl(request: CreateRun, baseUrl: string): string {
  return [
    `curl -sS ${quoted(`${baseUrl}/runs`)}`,
    `-H "Authorization: Bearer $RUNS_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(request))}`,
  ].join(' \\\n  ');
}

/** For the TypeScript client. */
export function asTypeScript(request: CreateRun, baseUrl: string): string {
  return `import { RunService } from 'run-service-client';

const service = new RunService({
  apiKey: process.env.RUNS_API_KEY,
  baseUrl: ${JSON.stringify(baseUrl)},
});
const run = await service.runs.create(${JSON.stringify(request, undefined, 2)});
console.log((await service.runs.wait(run.id)).message);
`;
}

/** For the terminal client; `RUNS_BASE_URL` and `RUNS_API_KEY` have address and key. */
export function asCli(request: CreateRun, baseUrl: string): string {
  return `RUNS_BASE_URL=${quoted(baseUrl)} npm run --silent runs -- create --watch --body - <<'JSON'
${JSON.stringify(request, undefined, 2)}
JSON
`;
}
