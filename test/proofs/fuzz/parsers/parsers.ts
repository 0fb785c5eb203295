// Every parser that a tenant's text reaches, with the longest text that reaches it.
import { readField } from '#contract/conditions.ts';
import { EntityLine } from '#contract/entities.ts';
import { limits } from '#contract/limits.ts';
import { fixedSource, sameType } from '#contract/source-names.ts';
import { authenticate } from '#domain/access/authenticate.ts';
import { csvLine } from '#domain/artifacts/csv.ts';
import { asDownload } from '#domain/artifacts/file-name.ts';
import { acceptedFormat } from '#domain/artifacts/formats.ts';
import { markdownRow } from '#domain/artifacts/markdown-table.ts';
import { idempotencyKeyOf } from '#domain/commands/use-key.ts';
import { decodeCursor } from '#domain/events/cursor.ts';
import { checkSchedule } from '#domain/monitors/schedule.ts';
import { checkTimestamp } from '#domain/sync/verify.ts';
import type { HttpRequest } from '#edge/http-request.ts';
import { readJson } from '#edge/read-json-body.ts';
import { analyze } from '#models/offline/analyze.ts';
import { discover } from '#models/offline/discover.ts';
import { dossierSection } from '#models/offline/dossier-section.ts';
import { embedText } from '#models/offline/embedding.ts';
import { filter } from '#models/offline/filter.ts';
import { plan } from '#models/offline/plan.ts';
import { readQuery } from '#models/offline/query/read-query.ts';
import { reconstitute } from '#models/offline/reconstitute.ts';
import { transform } from '#models/offline/transform.ts';
import { readTriggers } from '#models/offline/triggers.ts';
import { understand } from '#models/offline/understand.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import { checkUrl } from '#outbound/foreign-url.ts';
import { rankByWords } from '#platform/lexical-ranking.ts';
import { asMarkdown, asPlainText, linkTargets, onlyLink, withKnownLinks } from '#platform/linked-markdown.ts';
import { traceparentOf } from '#platform/trace-context.ts';
import { contentWords, wordsOf } from '#platform/words.ts';
import { plain, runsOfWords } from '#record-index/plain-names.ts';
import { nearestOf } from '#sources/nearest-field.ts';
import { companies, people, shape, valuesIn } from '../../../unit/models/given.ts';

export interface Parser {
  name: string;
  max_characters: number;
  parse(text: string): unknown;
}

const INSTRUCTIONS = limits.step_instructions_max_characters;
const QUERY = limits.query_max_characters;
const FETCH_QUERY = 2_000;
const TEXT = 100_000;

const items: ModelItem[] = [...companies, ...people];
const asked = (query: string) => ({
  query,
  shape,
  values: valuesIn(query, items),
  today: '2026-11-20',
  candidates: items.slice(0, 2),
});
const written = {
  run_title: 'Companies',
  max_tokens: 4_000,
  found: [{ type: 'company', count: 5 }],
  table_wanted: true,
};
const long = (text: string): ModelItem => ({
  id: 'x',
  type: 'company',
  name: 'Acme',
  fields: { note: text, tags: [text] },
});
const known = new Set(['entity=ID']);

export const parsers: Parser[] = [
  { name: 'filter', max_characters: INSTRUCTIONS, parse: (instructions) => filter({ instructions, items }) },
  { name: 'plan', max_characters: QUERY, parse: (query) => plan({ ...asked(query), interpretation: query }) },
  {
    name: 'understand',
    max_characters: QUERY,
    parse: (query) => understand({ ...asked(query), strict_mode: true }, readTriggers(query).triggers),
  },
  {
    name: 'transform',
    max_characters: INSTRUCTIONS,
    parse: (instructions) =>
      transform({
        instructions,
        item: companies[0] ?? long(''),
        output_fields: ['result', 'city', 'size class'],
      }),
  },
  {
    name: 'transform alone',
    max_characters: INSTRUCTIONS,
    parse: (instructions) => transform({ instructions, item: long('a'), output_fields: ['result'] }),
  },
  {
    name: 'analyze',
    max_characters: INSTRUCTIONS,
    parse: (instructions) =>
      analyze({
        instructions,
        focus: instructions.slice(0, 500),
        items,
        found: [],
        context: [],
        max_tokens: 2_000,
      }),
  },
  {
    name: 'analyze context',
    max_characters: TEXT,
    parse: (text) =>
      analyze({
        instructions: 'revenue by city',
        focus: '',
        items,
        found: [],
        context: [text],
        max_tokens: 2_000,
      }),
  },
  {
    name: 'reconstitute',
    max_characters: INSTRUCTIONS,
    parse: (instructions) =>
      reconstitute({ ...written, instructions, items, context: [], text_titles: ['One'] }),
  },
  {
    name: 'reconstitute context',
    max_characters: TEXT,
    parse: (text) =>
      reconstitute({
        ...written,
        instructions: 'revenue by city',
        items,
        context: [text],
        text_titles: ['One'],
      }),
  },
  {
    name: 'discover',
    max_characters: INSTRUCTIONS,
    parse: (instructions) =>
      discover({
        instructions,
        items,
        candidates: people.map((one) => ({ ...one, links: ['a'] })),
        limit: 5,
      }),
  },
  {
    name: 'dossier heading',
    max_characters: limits.section_max_characters,
    parse: (heading) =>
      dossierSection({ heading, entity: long('a'), relationships: [], recent_activity: [], max_tokens: 500 }),
  },
  {
    name: 'dossier record',
    max_characters: TEXT,
    parse: (text) =>
      dossierSection({
        heading: 'Attributes',
        entity: long(text),
        relationships: [],
        recent_activity: [],
        max_tokens: 500,
      }),
  },
  {
    name: 'filter record',
    max_characters: TEXT,
    parse: (text) =>
      filter({ instructions: 'companies in Berlin with revenue over 10', items: [long(text)] }),
  },
  {
    name: 'transform record',
    max_characters: TEXT,
    parse: (text) =>
      transform({
        instructions: 'Extract the domain and the year',
        item: long(text),
        output_fields: ['domain', 'year', 'initials'],
      }),
  },
  { name: 'triggers', max_characters: INSTRUCTIONS, parse: readTriggers },
  { name: 'embedding', max_characters: TEXT, parse: embedText },
  { name: 'words', max_characters: TEXT, parse: (text) => [wordsOf(text), contentWords(text)] },
  {
    name: 'ranking',
    max_characters: FETCH_QUERY,
    parse: (query) =>
      rankByWords(
        query,
        items.map(({ id }) => ({ id, text: `${query} ${id}` })),
      ),
  },
  {
    name: 'names and values mentioned',
    max_characters: QUERY,
    parse: (query) => runsOfWords(plain(query), [1, 2, 3, 4, 5, 6]),
  },
  { name: 'names compared', max_characters: TEXT, parse: plain },
  { name: 'known links', max_characters: TEXT, parse: (text) => withKnownLinks(text, known) },
  {
    name: 'escaped strings',
    max_characters: TEXT,
    parse: (text) => [asMarkdown(text), asPlainText(text), onlyLink(text), linkTargets(text)],
  },
  {
    name: 'source names',
    max_characters: 200,
    parse: (name) => [fixedSource(name), sameType(name, 'company'), readField(name)],
  },
  { name: 'url', max_characters: TEXT, parse: (text) => [checkUrl(text), checkUrl(`https://${text}`)] },
  { name: 'json body', max_characters: TEXT, parse: (body) => refused(() => readJson(request('', body))) },
  {
    name: 'content type',
    max_characters: 8_000,
    parse: (type) => refused(() => readJson(request(`;${type}`, '{}'))),
  },
  {
    name: 'bearer key',
    max_characters: 8_000,
    parse: (key) => authenticate(`Bearer ${key}`).catch(() => null),
  },
  { name: 'cursor', max_characters: 8_000, parse: (cursor) => decodeCursor('run', cursor).catch(() => null) },
  {
    name: 'schedule',
    max_characters: TEXT,
    parse: (cron) => refused(() => checkSchedule({ cron, timezone: 'UTC' }, 0)),
  },
  {
    name: 'time zone',
    max_characters: TEXT,
    parse: (timezone) => refused(() => checkSchedule({ cron: '* * * * *', timezone }, 0)),
  },
  {
    name: 'idempotency key',
    max_characters: 8_000,
    parse: (key) => idempotencyKeyOf(key, 'runs', 'W', {}).catch(() => null),
  },
  { name: 'trace context', max_characters: 8_000, parse: traceparentOf },
  { name: 'accept', max_characters: 8_000, parse: (accept) => acceptedFormat('table', accept) },
  { name: 'file name', max_characters: 8_000, parse: (title) => asDownload(title, 'artifact', 'csv') },
  { name: 'CSV', max_characters: TEXT, parse: (text) => csvLine([text, `-${text}`], false) },
  { name: 'table as markdown', max_characters: TEXT, parse: (text) => markdownRow([text], { [text]: text }) },
  {
    name: 'live source',
    max_characters: QUERY,
    parse: (query) => readQuery({ ...asked(query), shape: { ...shape, sources } }),
  },
  { name: 'misspelled field', max_characters: 200, parse: (name) => nearestOf(fieldNames)(name) },
  { name: 'sync timestamp', max_characters: 8_000, parse: (time) => checkTimestamp(time, 0) },
  {
    name: 'import line',
    max_characters: TEXT,
    parse: (text) => EntityLine.safeParse({ type: text, name: text, external_uri: text, fields: { text } }),
  },
];

const sources = ['crm', 'sales-force_one'].map((name) => ({
  ...{ name, kind: 'http' as const, description: 'Deals', entity_type: 'deal' },
  fields: [{ name: 'stage', kind: 'string' as const }],
}));
const fieldNames = Array.from({ length: 3_000 }, (_, i) => `${'name of a field '.repeat(12)}${i}`);

/** What a check throws, which is what it finds. */
function refused(check: () => void): unknown {
  try {
    return check();
  } catch (error) {
    return error;
  }
}

function request(parameters: string, body: string): HttpRequest {
  const headers = { 'content-type': `application/json${parameters}` };
  return {
    method: 'POST',
    path: '/api/v1/runs',
    resource: '/runs',
    headers,
    query: {},
    params: {},
    body: Buffer.from(body),
    body_bytes: Buffer.byteLength(body),
  };
}
