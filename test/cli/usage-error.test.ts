// A command line that cannot be meant is one line with the nearest right option, and exit code 2; no request is made.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { baseUrlOf } from '../../clients/cli/connection/chosen-service.ts';
import { folder, runs } from './terminal.ts';

const ID = '17d861b3-8b26-4944-81c3-3df53b76ff64';
writeFileSync(join(folder, 'request.json'), '{"input_type":"query","query":"?"}');
writeFileSync(join(folder, 'list.json'), '[]');
writeFileSync(join(folder, 'broken.json'), '{');

const misuses: [string, RegExp][] = [
  ['lst', /unknown command lst; did you mean list\?/],
  ['webhooks lisen', /unknown command lisen; did you mean listen\?/],
  ['entity find', /unknown command find/],
  ['--local list', /--local goes behind the command/],
  ['list --stats failed', /unknown flag --stats; did you mean --status\?/],
  ['list --status broken', /--status: "broken" is none of pending, running/],
  ['list --type plans', /--type: "plans" is none of query, plan, preset/],
  ['list --since yesterday', /--since: "yesterday" is not valid: give a duration/],
  ['list --limit 0', /--limit: "0" is not valid: use an integer of at least 1/],
  ['list --limit 3 --all', /use --limit or --all, not both/],
  ['list --metadata team', /--metadata: "team" is not valid: write it as key=value/],
  ['list --json=perhaps', /--json: "perhaps" is not valid/],
  ['get', /RUN is missing/],
  [`get ${ID} ${ID}`, /unexpected/],
  [`watch ${ID} --timeout soon`, /--timeout: "soon" is not valid: use a number with/],
  [`tail ${ID} --since`, /--since needs a value/],
  ['create', /say what to run with one of -q TEXT/],
  ['create -x', /unknown flag -x/],
  ['create -q a --plan b', /say what to run with one of/],
  ['create -q', /--query needs a value/],
  ['create -q a --watch --wait', /use --watch or --wait, not both/],
  ['create -q a --timeout 1m', /--timeout goes with --wait or --watch/],
  ['create -q a --dry-run --wait', /--dry-run creates nothing to wait for/],
  ['create -q a --section History', /--section goes with --dossier/],
  ['create -q a --config strict', /--config: "strict" is not valid: write it as key=value/],
  ['create --dossier Norddata', /--dossier: "Norddata" is not valid: a record is named by/],
  ['create --plan none.json', /--plan: there is no file \S+none\.json/],
  ['create --plan broken.json', /--plan broken\.json: not JSON in UTF-8/],
  ['create --plan request.json', /is a complete request; pass it with --body/],
  ['create --body list.json', /--body list\.json: not a JSON object/],
  ['create --body request.json --callback https://a.example', /--body is the complete request/],
  [`rerun ${ID}`, /--step needs a value/],
  [`rerun ${ID} --step -1`, /--step/],
  [`resume ${ID} --max-cost-usd 0`, /--max-cost-usd: "0" is not valid: use an amount above 0/],
  [`resume ${ID} --timeout-seconds 0`, /--timeout-seconds: "0" is not valid: use an integer of at least 1/],
  ['delete', /RUN/],
  ['get ..', /RUN: "\.\." is not valid: an id is not empty, "\." or "\.\."/],
  ['get .', /RUN: "\." is not valid/],
  ['get ', /RUN: "" is not valid/],
  ['watch ..', /RUN: "\.\." is not valid/],
  ['tail .', /RUN: "\." is not valid/],
  ['trace ..', /RUN: "\.\." is not valid/],
  ['cancel ..', /RUN: "\.\." is not valid/],
  ['resume .', /RUN: "\." is not valid/],
  ['rerun .. --step 1', /RUN: "\.\." is not valid/],
  [`delete ${ID} ..`, /RUN: "\.\." is not valid/],
  ['artifact ..', /ARTIFACT: "\.\." is not valid/],
  ['artifact --run .', /--run: "\." is not valid/],
  ['link ..', /ARTIFACT: "\.\." is not valid/],
  ['entity get ..', /ENTITY: "\.\." is not valid/],
  ['monitor get ..', /MONITOR: "\.\." is not valid/],
  ['monitor fire .', /MONITOR: "\." is not valid/],
  ['key revoke ..', /KEY: "\.\." is not valid/],
  ['key rotate .', /KEY: "\." is not valid/],
  ['webhooks list ..', /RUN: "\.\." is not valid/],
  [`webhooks redeliver ${ID} ..`, /EVENT: "\.\." is not valid/],
  ['webhooks listen --forward http://127.0.0.1:9 --run ..', /--run: "\.\." is not valid/],
  ['artifact', /name an artifact by its id, or a run by --run/],
  [`artifact ${ID} --run ${ID}`, /one of them/],
  [`artifact ${ID} --csv --md`, /use one of --csv, --jsonl, --md and --json/],
  [`artifact ${ID} --keep-formulas`, /--keep-formulas goes with --csv/],
  ['entity resolve', /REF/],
  ['webhooks listen', /--forward needs a value/],
  ['webhooks listen --forward ftp://a.example', /--forward: "ftp:\/\/a\.example" is not valid: use an http/],
  [`webhooks redeliver ${ID}`, /EVENT is missing/],
  ['completion tcsh', /SHELL: "tcsh" is not valid: use one of bash, zsh, fish/],
  ['login', /which service\? give --base-url URL/],
  ['login --base-url https://a.example', /--base-url: not an http\(s\) address that ends in \/v1, such as/],
  [`get ${ID} --local --profile a`, /use --local or --profile, not both/],
];

const never: typeof fetch = async () => {
  throw new Error('a request was made');
};
const noKey = { RUNS_API_KEY: 'sk_of_nobody', RUNS_BASE_URL: 'http://127.0.0.1:9/api/v1' };

test.each(misuses)('%s', async (line, said) => {
  const env = line.startsWith('login') ? {} : noKey;
  const { code, out, err } = await runs(line.split(' '), { fetch: never, env });
  expect(err).toMatch(said);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
  expect({ code, out }).toEqual({ code: 2, out: '' });
});

test.each([
  ['the key without the address', { RUNS_API_KEY: 'sk_of_nobody' }, 2, /RUNS_BASE_URL is not/],
  ['the address without the key', { RUNS_BASE_URL: 'http://127.0.0.1:9/api/v1' }, 4, /RUNS_API_KEY is not/],
  ['an address of another kind', { ...noKey, RUNS_BASE_URL: 'http://127.0.0.1:9' }, 2, /ends in \/v1/],
])(
  '%s in the environment is refused: a key is never sent to an address given for another',
  async (_, env, exit, said) => {
    const { code, err } = await runs(['whoami'], { env, fetch: never });
    expect({ code, err }).toEqual({ code: exit, err: expect.stringMatching(said) });
  },
);

test.each(['https://runs.example.com/v1', 'https://HOST/api/v1/', 'http://127.0.0.1:9/api/v1'])(
  'an address may be that of a custom domain or of a stage: %s',
  (address) => expect(baseUrlOf(address, '--base-url')).toBe(address.replace(/\/$/, '')),
);

test('help of every command names its flags and exits 0', async () => {
  const { code, out } = await runs(['create', '--help']);
  expect(code).toBe(0);
  expect(out).toContain('--idempotency-key');
  expect((await runs([])).out).toContain('webhooks');
});
