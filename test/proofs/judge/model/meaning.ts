// A search by meaning: the real embedding model finds a text that shares no word with the query.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceProcess } from '../../living/service-process.ts';

const texts = {
  'Ticket 1': 'I cannot sign in to my account.',
  'Ticket 2': 'I want my money returned.',
  'Ticket 3': 'The box was crushed and the vase is broken.',
  'Ticket 4': 'Please change the delivery address.',
};
/** What the query is nearest to. */
export const REFUND = 'Ticket 2';
const QUERY = 'customer asks for a refund';
/** Vectors follow their records within a minute. */
const VECTORS_MS = 90_000;

/** Imports the texts, and returns the name of the one that a search by meaning finds first. */
export async function nearestTicket(service: ServiceProcess, folder: string): Promise<string | undefined> {
  const file = join(folder, 'tickets.ndjson');
  const lines = Object.entries(texts).map(([name, text]) => ({ type: 'ticket', name, fields: { text } }));
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  await service.admin('entity', 'import', '--workspace', service.workspaceId(), '--file', file);
  const params = { query: QUERY, entity_types: ['ticket'], limit: 1 };
  const plan = { title: 'Nearest', steps: [{ index: 0, kind: 'vector_search', title: 'Search', params }] };
  for (const end = Date.now() + VECTORS_MS; ; await wait(1000)) {
    const { id } = await service.call<{ id: string }>('POST', '/runs', { input_type: 'plan', plan });
    const message = await messageOf(id, service);
    const found = /\[([^\]]+)\]\(entity=/.exec(message)?.[1];
    if (found !== undefined || Date.now() > end) return found;
  }
}

async function messageOf(id: string, service: ServiceProcess): Promise<string> {
  for (;;) {
    const run = await service.call<{ status: string; message?: string | null }>('GET', `/runs/${id}`);
    if (['succeeded', 'failed', 'canceled'].includes(run.status)) return run.message ?? '';
    await wait(200);
  }
}
