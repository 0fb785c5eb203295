// The two tenants: one with many and large records, and a bystander with few.

import { splitEveryWay } from '../../support/split-every-way.ts';
import type { Target } from '../bench/client.ts';
import type { Service } from './child.ts';

export const RECORDS = 10_000;
const HUB_LINKS = 5_000;
const BATCH = 500;
const WORDS = 5_000;

export const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A whole number below `below` that depends on `n` alone. */
const mixed = (seed: number, n: number, below: number) => (Math.imul(n ^ seed, 0x9e3779b1) >>> 5) % below;

export interface Tenant extends Target {
  workspace_id: string;
  bridge: { bridge_id: string; secret: string };
}

/** A workspace with `records` companies; record 0 is linked with many others when there are enough. */
export async function tenant(
  service: Pick<Service, 'admin' | 'base_url'>,
  seed: number,
  records: number,
): Promise<Tenant> {
  const { admin, base_url } = service;
  const { workspace_id } = await admin({
    command: 'workspace.create',
    name: 'Fair',
    tier: 'enterprise',
    features: ['WEBHOOK_INTEGRATION'],
  });
  const { api_key } = await admin({ command: 'key.create', workspace_id, scopes: 'all' });
  for (let i = 0; i < records; i += BATCH)
    await admin({
      command: 'entity.import',
      workspace_id,
      entities: Array.from({ length: Math.min(BATCH, records - i) }, (_, k) => recordOf(seed, i + k)),
    });
  if (records >= RECORDS)
    await admin({ command: 'entity.import', workspace_id, entities: [...mazes(), ...scrolls()] });
  for (let i = 1; i < Math.min(records, HUB_LINKS); i += BATCH)
    await admin({
      command: 'relationship.import',
      workspace_id,
      relationships: Array.from({ length: Math.min(BATCH, records - i) }, (_, k) => ({
        from: { id: idOf(i + k) },
        to: { id: idOf(0) },
        type: 'supplies',
      })),
    });
  const resources = [
    {
      type: 'company',
      kind: 'entity' as const,
      entity_type: 'company',
      name_field: 'name',
      field_map: { name: 'name', text: 'text' },
    },
  ];
  const bridge = await admin({
    command: 'bridge.create',
    bridge: { name: 'crm', workspaces: [{ workspace_id, resources }] },
  });
  return { base_url, api_key, workspace_id, bridge };
}

const MAZES = 12;
const MAZE_VALUES = 29_500;
/** Records whose keys split each of `mazePaths` in every way. */
export function mazes() {
  const { fields } = splitEveryWay(MAZE_VALUES);
  return Array.from({ length: MAZES }, (_, n) => ({ type: 'maze', name: `Maze ${n}`, fields }));
}
export const mazePaths = splitEveryWay(0).paths;

/** A long text, one character of which is not ASCII. */
export const SCROLL = `ä ${'lorem ipsum dolor '.repeat(18_900)}`.slice(0, 340_000);
const scrolls = () =>
  Array.from({ length: 2 }, (_, n) => ({ type: 'scroll', name: `Scroll ${n}`, fields: { text: SCROLL } }));

/** The n-th company. */
export function recordOf(seed: number, n: number) {
  const word = (k: number) => `w${mixed(seed, n * 97 + k, WORDS).toString(36)}`;
  return {
    id: idOf(n),
    type: 'company',
    name: `Name ${n} ${word(0)}`,
    fields: {
      city: `City${mixed(seed, n, 200)}`,
      revenue: mixed(seed, n * 7, 1_000_000),
      text: Array.from({ length: 60 }, (_, k) => word(k)).join(' '),
      accents: `é ${Array.from({ length: 60 }, (_, k) => word(k)).join(' ')}`,
      // Together they make 500 pairs, and over all records as many as a step may make.
      tags: Array.from({ length: 50 }, (_, k) => word(k)),
      kinds: Array.from({ length: 10 }, (_, k) => `kind${k}`),
    },
    external_uri: `fair:${n}`,
  };
}
