// `npm run judge:requests`: Schemathesis, a fuzzer that others wrote, makes requests from our own document, follows its
// links, and judges each reply by it. A fixed seed and a bounded time. Prints JSON.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { newHome, onOwnService } from '../proved-service.ts';
import { pythonTools } from './python-tools.ts';

const FUZZER = 'schemathesis==4.32.5';
/** What a reply must hold; which requests are refused is judged by tests of our own. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'ignored_auth',
];
/** A stream stays open until its run has ended: each request would take its whole time. */
const EXCLUDED = ['StreamEvents'];

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, seconds: { type: 'string', default: '300' } },
});

const judged = await onOwnService(async (service) => {
  const { key } = await newHome(service);
  const args = [
    ...[
      'run',
      `${service.site_url}/openapi.json`,
      '--url',
      service.site_url,
      '--header',
      `Authorization: Bearer ${key}`,
    ],
    ...['--phases', 'examples,coverage,fuzzing,stateful', '--checks', CHECKS.join(',')],
    ...['--seed', values.seed, '--max-time', values.seconds, '--continue-on-failure', '--no-color'],
    ...['--request-timeout', '60', '--generation-database', 'none', '--warnings', 'off'],
    ...EXCLUDED.flatMap((name) => ['--exclude-operation-id', name]),
  ];
  const fuzzer = spawn(join(pythonTools([FUZZER]), 'schemathesis'), args, {
    cwd: service.data_dir,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let report = '';
  fuzzer.stdout.setEncoding('utf8').on('data', (piece: string) => {
    report += piece;
  });
  const [code] = await once(fuzzer, 'close');
  return { code, report };
});
const { code, report } = judged;
if (code !== 0) process.stderr.write(report);
const [summary = ''] = /Test cases:[\s\S]*?(?=\n\n|$)/.exec(report) ?? [];
process.stdout.write(`${JSON.stringify({ fuzzer: FUZZER, ...values, passed: code === 0, summary })}\n`);
process.exitCode = code === 0 ? 0 : 1;
