// `npm run judge:python`: the Python client, judged by the tools that its users have: build, pip, pytest over a running
// service, mypy, pyright, ruff; and 200 watches over streams that are cut. A tool that cannot be had is named. Prints JSON.
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { someCompanies } from '../../support/given.ts';
import { codeBlocks } from '../../support/snippets.ts';
import { cutPythonWatches } from '../cuts/python-watches.ts';
import { onOwnService, type ProvedService } from '../proved-service.ts';

const versions = { build: '1.6.1', mypy: '2.4.1', pyright: '1.1.414', pytest: '9.2.0', ruff: '0.17.6' };
const WATCHED_RUNS = 200;
const client = resolve('clients/python');
const samples = ['clients/python/README.md', 'clients', 'webhooks'].flatMap((page) =>
  codeBlocks(page.endsWith('.md') ? page : `functions/contract/document/guides/${page}.md`, 'python'),
);

const folder = mkdtempSync(join(tmpdir(), 'judge-python-'));
const inTools = (name: string) => join(folder, 'tools/bin', name);

/** Runs a program; returns its output. Throws Error with it when the program fails. */
function run(file: string, args: readonly string[], env: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd: client,
    encoding: 'utf8',
    env: { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: '1', PYTHONDONTWRITEBYTECODE: '1', ...env },
  });
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

const canRun = (file: string, ...args: string[]) => spawnSync(file, args, { cwd: folder }).status === 0;

/** Installs the tools; returns the names of those that cannot be had. */
function install(): string[] {
  run('python3', ['-m', 'venv', join(folder, 'tools')]);
  const { pyright, ...packages } = versions;
  const absent = Object.entries(packages)
    .filter(([name, version]) => !canRun(inTools('pip'), 'install', '--quiet', `${name}==${version}`))
    .map(([name]) => name);
  const npm = canRun('npm', 'install', '--no-audit', '--no-fund', `pyright@${pyright}`);
  return npm ? absent : [...absent, 'pyright'];
}

/** Builds the wheel in a copy, so that the repository stays clean, and installs it into an empty environment. */
function wheel(): string {
  const source = join(folder, 'source');
  cpSync(client, source, { recursive: true });
  run(inTools('pyproject-build'), ['--outdir', join(folder, 'dist'), source]);
  const [built = ''] = readdirSync(join(folder, 'dist')).filter((name) => name.endsWith('.whl'));
  run('python3', ['-m', 'venv', join(folder, 'empty')]);
  const python = join(folder, 'empty/bin/python');
  run(python, ['-m', 'pip', 'install', '--quiet', '--no-index', join(folder, 'dist', built)]);
  const typed =
    "import run_service, pathlib; assert pathlib.Path(run_service.__file__).with_name('py.typed').exists()";
  run(python, ['-I', '-c', typed]);
  const installed = run(python, ['-m', 'pip', 'list', '--format', 'freeze']).match(
    /^(?!pip=|setuptools=).+$/gm,
  );
  if (installed?.join() !== 'run-service==0.1.0') throw new Error(`it installs ${installed?.join()}`);
  return built;
}

/** The samples as modules that see the installed package alone. */
function sampleFiles(): string[] {
  mkdirSync(join(folder, 'samples'));
  return samples.map((text, i) => {
    const file = join(folder, `samples/sample_${i}.py`);
    writeFileSync(file, text);
    return file;
  });
}

/** The client's tests, over a workspace of the service with companies. */
async function pytest({ admin, base_url }: ProvedService): Promise<string> {
  const { workspace_id } = await admin({ command: 'workspace.create', name: 'Judge', tier: 'enterprise' });
  const { api_key } = await admin({ command: 'key.create', workspace_id, scopes: 'all' });
  await admin({ command: 'entity.import', workspace_id, entities: someCompanies });
  const env = {
    ...process.env,
    RUNS_BASE_URL: base_url,
    RUNS_API_KEY: api_key,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const args = ['-q', '-W', 'error', '-p', 'no:cacheprovider'];
  // The service is in this process, so it must not wait for the tests.
  const { stdout } = await promisify(execFile)(inTools('pytest'), args, { cwd: client, env });
  return stdout.trim().split('\n').at(-1) ?? '';
}

/** Every check that a tool makes at once, by the tool. */
const judges: Readonly<Record<string, (samples: string[]) => string>> = {
  build: () => wheel(),
  mypy: (samples) => {
    const python = ['--python-executable', join(folder, 'empty/bin/python')];
    run(inTools('mypy'), ['--cache-dir', join(folder, 'mypy'), '--package', 'run_service']);
    run(inTools('mypy'), ['--cache-dir', join(folder, 'mypy'), 'tests']);
    return run(inTools('mypy'), [
      '--cache-dir',
      join(folder, 'mypy-samples'),
      '--strict',
      ...python,
      ...samples,
    ]).trim();
  },
  pyright: (samples) => {
    const program = join(folder, 'node_modules/pyright/index.js');
    run(process.execPath, [program]);
    const python = ['--pythonpath', join(folder, 'empty/bin/python')];
    return run(process.execPath, [program, ...python, ...samples]).trim();
  },
  ruff: (samples) => {
    run(inTools('ruff'), ['format', '--no-cache', '--check', '.', ...samples]);
    return run(inTools('ruff'), ['check', '--no-cache', '.', ...samples]).trim();
  },
};

try {
  const absent = install();
  const files = sampleFiles();
  const verdicts = Object.entries(judges).map(([name, judge]) => {
    const verdict = absent.includes(name) ? 'missing: it cannot be installed here' : judge(files);
    return [name, verdict];
  });
  const overService = await onOwnService(async (service) => {
    const tests = absent.includes('pytest') ? 'missing: it cannot be installed here' : await pytest(service);
    const { breaches, ...cuts } = await cutPythonWatches(service, {
      runs: WATCHED_RUNS,
      seed: Date.now() % 1_000_000,
    });
    if (breaches.length > 0) throw new Error(breaches.join('\n'));
    return { pytest: tests, watches: { runs: WATCHED_RUNS, ...cuts } };
  });
  process.stdout.write(`${JSON.stringify({ ...Object.fromEntries(verdicts), ...overService }, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
