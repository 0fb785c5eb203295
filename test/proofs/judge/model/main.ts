// `npm run judge:model`: a real, small chat model and a real embedding model, on servers that others wrote, are asked
// through the whole service. It judges the wire, not the answers: every kind of step ends well or with a clear cause,
// usage is the server's own, and answers are usable in form. Needs Python and a C++ compiler, and builds the server at
// the first start. Prints JSON; exit code 1 on a breach.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { modelOf } from '../../eval/model-on-trial.ts';
import { serviceProcess } from '../../living/service-process.ts';
import { misused } from '../../proof.ts';
import { askForms, type Forms } from './forms.ts';
import { nearestTicket, REFUND } from './meaning.ts';
import { modelsFile } from './models-file.ts';
import { installPrograms, type Programs } from './programs.ts';
import { type ProxiedServer, startChat, startEmbedding } from './servers.ts';
import { type KindResult, runKinds } from './step-kinds.ts';

const CONTEXT = 8192;
const SMALL_CONTEXT = 2048;
const SEEDS = 8;
/** Of the 40 answers of five tasks with eight seeds. */
const USABLE_AT_LEAST = 38;
/** Kinds whose prompts need more than a small context. */
const LONG_KINDS = ['query', 'filter', 'analyze', 'dossier'];

const { values: flags } = parseArgs({
  options: {
    folder: {
      type: 'string',
      default: fileURLToPath(new URL('../../../../node_modules/.cache/judge-model', import.meta.url)),
    },
    keep: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '20' },
  },
});
const minutes = Number(flags.minutes);
if (!(minutes > 0 && minutes <= 60)) misused(`--minutes ${flags.minutes}: a number up to 60`);
else await judge();

/** What was found so far: it is told even if the rest takes too long. */
interface Findings {
  breaches: string[];
  [figure: string]: unknown;
}

async function judge(): Promise<void> {
  const programs = installPrograms(flags.folder);
  const over = AbortSignal.timeout(minutes * 60_000);
  const running: { stop(): Promise<void> }[] = [];
  const started = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const one = await starting;
    running.push(one);
    return one;
  };
  const findings: Findings = { breaches: [] };
  try {
    await trials(programs, started, over, findings);
  } catch (error) {
    findings.breaches.push(over.aborted ? `not done in ${minutes} minutes` : String(error));
  }
  for (const one of running.toReversed()) await one.stop();
  if (!flags.keep) rmSync(flags.folder, { recursive: true, force: true });
  process.stdout.write(`${JSON.stringify(findings, undefined, 2)}\n`);
  process.exit(findings.breaches.length === 0 ? 0 : 1);
}

type Start = <T extends { stop(): Promise<void> }>(starting: Promise<T>) => Promise<T>;

async function trials(programs: Programs, started: Start, over: AbortSignal, findings: Findings) {
  const { breaches } = findings;
  const [chat, embedding] = await Promise.all([
    started(startChat(programs, CONTEXT)),
    started(startEmbedding(programs)),
  ]);
  const forms = await formsOf(chat, { structured: 'json_schema' }, SEEDS, over);
  const usable = forms.reduce((sum, one) => sum + one.usable, 0);
  findings.forms = { usable, of: SEEDS * forms.length, tasks: forms };
  if (usable < USABLE_AT_LEAST) breaches.push(`only ${usable} of ${SEEDS * forms.length} answers are usable`);
  findings.means = await byEachMeans(chat, over);
  const steps = await onService(chat, embedding, started, over);
  findings.steps = steps.kinds;
  findings.nearest = steps.nearest;
  breaches.push(...steps.kinds.flatMap((one) => one.breaches));
  if (steps.nearest !== REFUND) breaches.push(`nearest to one who wants a refund is ${steps.nearest}`);
  await chat.stop();
  const small = await started(startChat(programs, SMALL_CONTEXT));
  const { kinds } = await onService(small, undefined, started, over, LONG_KINDS);
  findings.small_context = kinds;
  breaches.push(
    ...kinds.flatMap((one) => one.breaches.map((breach) => `in ${SMALL_CONTEXT} tokens: ${breach}`)),
  );
}

async function formsOf(
  { proxy }: ProxiedServer,
  means: Pick<Parameters<typeof modelsFile>[0], 'structured'>,
  seeds: number,
  over: AbortSignal,
): Promise<Forms[]> {
  const { model } = modelOf(modelsFile({ chat: proxy.base_url, ...means }));
  return askForms(model, proxy, seeds, over);
}

/** One answer to each task by the other means, and as the service finds out what the server takes. */
async function byEachMeans(chat: ProxiedServer, over: AbortSignal): Promise<Record<string, Forms[]>> {
  chat.proxy.takesSchemas = false;
  const forms = {
    json_object: await formsOf(chat, { structured: 'json_object' }, 1, over),
    prompt: await formsOf(chat, { structured: 'prompt' }, 1, over),
    found_out: await formsOf(chat, {}, 1, over),
  };
  chat.proxy.takesSchemas = true;
  return forms;
}

/** Runs on a service with these servers, and what its start says of them. */
async function onService(
  chat: ProxiedServer,
  embedding: ProxiedServer | undefined,
  started: Start,
  over: AbortSignal,
  only?: readonly string[],
): Promise<{ kinds: KindResult[]; nearest: string | undefined }> {
  const folder = mkdtempSync(join(tmpdir(), 'judge-model-'));
  const file = join(folder, 'models.json');
  const addresses = embedding ? { embedding: embedding.proxy.base_url } : {};
  writeFileSync(file, JSON.stringify(modelsFile({ chat: chat.proxy.base_url, ...addresses })));
  // The check at the start would be counted among the calls of a run.
  const service = serviceProcess({ flags: ['--models', file, '--no-model-check'] });
  await started(Promise.resolve({ stop: () => service.remove() }));
  await service.start();
  const proxies = { chat: chat.proxy, ...(embedding && { embedding: embedding.proxy }) };
  const kinds = await runKinds(service, proxies, over, only);
  const nearest = embedding && (await nearestTicket(service, folder));
  await service.remove();
  rmSync(folder, { recursive: true, force: true });
  return { kinds, nearest };
}
