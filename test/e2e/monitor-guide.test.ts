// The guide of monitors, command by command: from a question to a webhook when the answer changes.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Command } from '../../functions/admin/commands.ts';
import { startFakeService } from '../local/admin/fake-service.ts';
import * as given from '../support/given.ts';
import { freePort } from '../support/local-server.ts';
import { isPosix } from '../support/platform.ts';
import { admin, sharedService, until } from '../support/service.ts';
import { codeBlocks, sh } from '../support/snippets.ts';
import { customer, status } from './webhook-receiver.ts';

const root = resolve(import.meta.dirname, '../..');

test.runIf(isPosix)(
  'every command of the guide works, and the difference is the record that changed',
  async () => {
    const blocks = codeBlocks('functions/contract/document/guides/monitors.md', 'sh');
    const [records = '', source = '', monitor = '', change = '', difference = '', data = ''] = blocks;
    const folder = mkdtempSync(join(tmpdir(), 'monitor-guide-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [home, receiver] = await Promise.all([given.workspace(), customer(status(204))]);
    // The shared service has no door for commands of the terminal.
    const gate = await startFakeService((command) => admin(Command.parse(command)));
    onTestFinished(() => gate.close());
    const url = `http://127.0.0.1:${await freePort()}/records`;
    const env = {
      SOURCE_URL: url,
      WORKSPACE_ID: home.workspace_id,
      CALLBACK_URL: receiver.url,
      RUNS_API_KEY: home.key,
      RUNS_BASE_URL: sharedService().base_url,
    };
    const commands = `
    runs() { "$NODE" ${root}/clients/cli/runs.ts "$@"; }
    npm() { shift 4; "$NODE" ${root}/bin/admin.ts "$@" --data-dir ${gate.dataDir}; }
    cd ${folder}`;
    const webhook = (n: number) => until(`webhook ${n}`, async () => receiver.received[n - 1]);
    const [, secret = ''] =
      /"secret": ?"(\w+)"/.exec(await sh(`${commands}\n${records}\n${source}`, env)) ?? [];
    await startSample(folder, url, secret);
    const made = await sh(`${commands}\n${monitor}\necho "MONITOR_ID=$MONITOR_ID"`, env);
    await webhook(1);
    await sh(`${commands}\n${change}`, env);
    await webhook(2);
    const [, id = ''] = /MONITOR_ID=(\S+)/.exec(made) ?? [];
    const shown = await sh(`${commands}\n${difference}\n${data}`, { ...env, MONITOR_ID: id });
    const [newest, first] = shown.split('\n');
    expect(newest).toMatch(/ change +run +\+0 -0 ~1 +[0-9a-f-]{36}$/);
    expect(first).toMatch(/ request +run +\+3 -0 ~0 /);
    expect(shown).toMatch(/^change,record,field,before,after.*\r?\nchanged,Globex,revenue,7,9/m);
    const [, answer = ''] = /^(\{[\s\S]*)/m.exec(shown) ?? [];
    expect(JSON.parse(answer)).toEqual({ companies: [{ name: 'Globex', revenue: 9 }] });
    expect(receiver.received).toHaveLength(2);
  },
);

/** Starts the sample source of the guide of live sources, which ends with the test. */
async function startSample(folder: string, url: string, secret: string): Promise<void> {
  const [code = ''] = codeBlocks('functions/contract/document/guides/sources.md', 'ts');
  const file = join(folder, 'source.ts');
  writeFileSync(file, code);
  const env = { ...process.env, SOURCE_SECRET: secret, PORT: new URL(url).port };
  const sample = spawn(process.execPath, [file], { env, stdio: 'ignore' });
  onTestFinished(() => void sample.kill());
  await until('the source', () => fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined));
}
