// `npm run prove -- judge:document`: the OpenAPI document, judged by a linter and by the generators that its readers
// use. Prints JSON.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { documentUse } from '../../support/document-use.ts';

const tools = {
  '@redocly/cli': '2.77.0',
  'openapi-typescript': '7.13.0',
  '@hey-api/openapi-ts': '0.99.0',
  oazapfts: '7.5.0',
  '@oazapfts/runtime': '1.2.0',
  quicktype: '26.0.0',
  typescript: '5.9.3',
};
const document = resolve('functions/contract/openapi.json');

interface Schema {
  $ref?: string;
}
interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** All bodies of requests and replies as one JSON Schema: quicktype reads no OpenAPI. */
function jsonSchema(): string {
  const { paths, components }: Document = JSON.parse(readFileSync(document, 'utf8'));
  const bodies = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)])
    .flatMap((message) => Object.values(message?.content ?? {}))
    .flatMap(({ schema }) => schema.$ref?.split('/').at(-1) ?? []);
  const names = new Set([...bodies, 'WebhookBody']);
  const properties = Object.fromEntries(
    [...names].map((name) => [name, { $ref: `#/components/schemas/${name}` }]),
  );
  const schema = { type: 'object', properties, definitions: components.schemas };
  return JSON.stringify(schema).replaceAll('#/components/schemas/', '#/definitions/');
}

const folder = mkdtempSync(join(tmpdir(), 'document-'));
const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', GOFLAGS: '-mod=mod' };

function run(command: string, ...parts: string[]): void {
  const local = join(folder, 'node_modules/.bin', command);
  const file = existsSync(local) ? local : command;
  execFileSync(file, parts, { cwd: folder, env: environment, stdio: ['ignore', 2, 2] });
}

const tsc = (...files: string[]) =>
  run(
    'tsc',
    '--strict',
    '--noEmit',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom,dom.iterable',
    '--module',
    'preserve',
    '--skipLibCheck',
    'false',
    ...files,
  );

/** Names that a generator makes up for what has none. */
const madeUp =
  /\b(?:class|type|interface|struct) \w*(?:Unknown|OneOf|AnyOf|AllOf|Purple|Fluffy|Tentacled|Sticky)/i;

function named(file: string): void {
  const line = readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .find((one) => madeUp.test(one.replace(/UnknownResourceType/i, '')));
  if (line) throw new Error(`${file} has a made-up name: ${line}`);
}

const quicktype = (language: string, file: string, ...flags: string[]) =>
  run(
    'quicktype',
    '--src-lang',
    'schema',
    '--lang',
    language,
    '--top-level',
    'Api',
    ...flags,
    '-o',
    file,
    'schema.json',
  );

const judges: Record<string, () => void> = {
  redocly: () => run('redocly', 'lint', '--extends=recommended-strict', document),
  'openapi-typescript': () => {
    run('openapi-typescript', document, '-o', 'api.d.ts');
    tsc('use.ts', 'api.d.ts');
    named('api.d.ts');
  },
  'hey-api': () => {
    run('openapi-ts', '-i', document, '-o', 'hey');
    tsc('hey/index.ts');
    named('hey/types.gen.ts');
  },
  oazapfts: () => {
    run('oazapfts', document, 'oazapfts.ts');
    tsc('oazapfts.ts');
    named('oazapfts.ts');
  },
  'quicktype python': () => {
    quicktype('python', 'api.py', '--python-version', '3.7');
    run('python3', '-m', 'py_compile', 'api.py');
    named('api.py');
  },
  'quicktype go': () => {
    mkdirSync(join(folder, 'go'));
    writeFileSync(join(folder, 'go/go.mod'), 'module api\n');
    quicktype('go', 'go/api.go', '--package', 'api');
    run('go', 'vet', '-C', 'go', '.');
    named('go/api.go');
  },
};

try {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'schema.json'), jsonSchema());
  writeFileSync(join(folder, 'use.ts'), documentUse);
  const packages = Object.entries(tools).map(([name, version]) => `${name}@${version}`);
  run('npm', 'install', '--no-audit', '--no-fund', ...packages);
  const verdicts = Object.entries(judges).map(([name, judge]) => {
    judge();
    return [name, 'passed'];
  });
  process.stdout.write(`${JSON.stringify(Object.fromEntries(verdicts))}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
