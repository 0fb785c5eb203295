// `artifact`: a run's output as text, CSV, Markdown or JSON, on screen or in a file.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildCommand } from '@stricli/core';
import { type Artifact, type ArtifactSummary, type Row, type TableArtifact, toCsv } from '../../sdk/index.ts';
import type { Context } from '../context.ts';
import { counted } from '../output/figures.ts';
import { withoutLinks } from '../output/links.ts';
import { jsonLine, plainText } from '../output/plain.ts';
import { artifactsText } from '../output/run-text.ts';
import { columnsText, markdownTable } from '../output/table.ts';
import { messageOf, misuse, Problem } from '../problem.ts';
import { cardMarkdown } from './card-markdown.ts';
import {
  answer,
  type CommonFlags,
  commonFlags,
  guarded,
  say,
  serviceOf,
  switchFlag,
  text,
  textFlag,
} from './command.ts';

interface Flags extends CommonFlags {
  readonly run?: string;
  readonly csv?: boolean;
  readonly md?: boolean;
  readonly safe?: boolean;
  readonly output?: string;
}

export const artifact = buildCommand<Flags, [string?], Context>({
  docs: {
    brief: 'show an artifact, or those of a run',
    customUsage: ['ARTIFACT | --run RUN [--csv [--safe] | --md | --json] [-o FILE]'],
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ parse: text, optional: true, placeholder: 'ARTIFACT', brief: 'id of an artifact' }],
    },
    flags: {
      run: textFlag('RUN', 'the artifacts of this run; with --csv its only table, with --md its only text'),
      csv: switchFlag('a table as CSV (RFC 4180)'),
      safe: switchFlag("with --csv: ' before cells that a spreadsheet would take for a formula"),
      md: switchFlag('as Markdown'),
      output: textFlag('FILE', 'write to a file'),
      ...commonFlags,
    },
    aliases: { o: 'output' },
  },
  func: guarded(async (context, flags, id) => {
    checkFlags(flags, id);
    const service = serviceOf(context, flags);
    const options = { signal: context.interrupted };
    if (id !== undefined) return show(context, flags, await service.artifacts.get(id, options));
    const { artifacts } = await service.runs.get(flags.run ?? '', options);
    if (!flags.csv && !flags.md) {
      if (flags.output !== undefined) throw misuse('--output with --run needs --csv or --md');
      answer(context, flags, { object: 'list', data: artifacts }, () => artifactsText(artifacts));
      return 'ok';
    }
    const only = onlyOne(artifacts, flags.csv ? 'table' : 'text');
    return show(context, flags, await service.artifacts.get(only.id, options));
  }),
});

function checkFlags({ run, csv, md, json, safe }: Flags, id: string | undefined): void {
  if ((id === undefined) === (run === undefined))
    throw misuse('name an artifact by its id, or a run by --run, one of them');
  if ([csv, md, json].filter(Boolean).length > 1) throw misuse('use one of --csv, --md and --json');
  if (safe && !csv) throw misuse('--safe goes with --csv');
}

function onlyOne(artifacts: readonly ArtifactSummary[], kind: ArtifactSummary['kind']): ArtifactSummary {
  const fitting = artifacts.filter((artifact) => artifact.kind === kind);
  const [only, another] = fitting;
  if (!only) throw new Problem('not_found', `the run has no ${kind}`);
  if (another)
    throw misuse(
      `the run has ${fitting.length} artifacts of kind ${kind}; name one: ${fitting.map(({ id }) => id).join(', ')}`,
    );
  return only;
}

function show(context: Context, flags: Flags, artifact: Artifact): undefined {
  const text = rendered(flags, artifact);
  if (flags.output === undefined) {
    // A terminal gets no control characters; a file or pipe gets the data unchanged.
    context.stdout.write(context.stdout.isTTY ? plainText(text) : text);
    return;
  }
  try {
    writeFileSync(resolve(context.cwd, flags.output), text);
  } catch (error) {
    throw misuse(`--output: ${messageOf(error)}`);
  }
  say(context, `${counted(Buffer.byteLength(text), 'byte')} written to ${flags.output}`);
}

function rendered({ csv, md, json, safe }: Flags, artifact: Artifact): string {
  if (json) return `${jsonLine(artifact)}\n`;
  if (csv && artifact.kind !== 'table')
    throw misuse(`--csv: the artifact is not a table but of kind ${artifact.kind}; use --md`);
  switch (artifact.kind) {
    case 'table':
      if (csv) return toCsv(artifact.columns, artifact.rows, { safe });
      return md
        ? markdownTable(artifact.columns, cellsOf(artifact))
        : columnsText(cellsOf(artifact), artifact.columns);
    case 'text':
      return `${artifact.content.trimEnd()}\n`;
    case 'entity_card':
      return cardMarkdown(artifact.content);
  }
}

function cellsOf({ columns, rows }: TableArtifact): string[][] {
  return rows.map((row) => columns.map((column) => cellText(row[column])));
}

function cellText(cell: Row[string]): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'string' ? withoutLinks(cell) : JSON.stringify(cell);
}
