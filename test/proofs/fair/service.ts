// The service under test in its own process, so that the load does not block its loops. Answers its parent's messages.
import './probe.ts';
import { localCallbacks } from '../../../lib/local/cli/local-callbacks.ts';
import { startRuntime } from '../../../lib/local/runtime/runtime.ts';
import type { Hold } from './probe.ts';

const [dataDir = '', assembly = ''] = process.argv.slice(2);
const runtime = await startRuntime({
  dataDir,
  cloudAssembly: async () => assembly,
  extraEnv: { ...localCallbacks, NODE_OPTIONS: `--import ${new URL('./probe.ts', import.meta.url).href}` },
});
// Loading a function blocks its own thread only.
await Promise.all(['Start', 'ExecuteSteps', 'Read', 'Download', 'Sync'].map(runtime.lambda.warm));
const channel = new BroadcastChannel('holds');

/** Asks every thread; blocked ones get half a second to answer. */
async function holds(): Promise<Hold[]> {
  const heard: Hold[] = [];
  channel.onmessage = ({ data }) => {
    if (data !== 'ask') heard.push(data);
  };
  channel.postMessage('ask');
  await new Promise((resolve) => setTimeout(resolve, 500));
  return heard;
}

process.on('message', async ({ call, command }: { call: number; command: unknown }) => {
  const answer =
    command === 'holds'
      ? { ok: true, payload: JSON.stringify(await holds()) }
      : await runtime.lambda.invoke('Admin', JSON.stringify(command));
  process.send?.({ call, answer });
});
process.once('disconnect', () => void runtime.stop().then(() => process.exit()));
process.send?.({ base_url: runtime.base_url, site_url: runtime.site_url });
