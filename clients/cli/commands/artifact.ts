// `artifact`: a run's output as text, CSV, Markdown or JSON, on screen or in a file.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ArtifactSummary, ExportArtifact, Row, RunService, TableArtifact } from '../../sdk/index.ts';
import { shownColumns } from '../../shown-columns.ts';
import { anId } from '../argument-parsers.ts';
import { counted } from '../output/amounts.ts';
import { columnsText } from '../output/columns.ts';
import { asShown } from '../output/markdown.ts';
import { jsonLine, plainText } from '../output/plain.ts';
import { artifactsText, withoutLinks } from '../output/run-as-text.ts';
import { screenOf } from '../output/terminal.ts';
import { messageOf, misuse, Problem } from '../problem.ts';
import type { Context } from '../surroundings.ts';
import { answer, commonFlags, say, serviceOf, switchFlag, textFlag, valueFlag } from './command.ts';
import { command, type ValuesOf } from './define.ts';

const flags = {
  run: valueFlag(
    anId,
    'RUN',
    'the artifacts of this run; with --csv or --jsonl its only table, with --md its only text',
  ),
  csv: switchFlag("a table as CSV (RFC 4180), with ' before what a spreadsheet would take for a formula"),
  jsonl: switchFlag('a table as JSON, one row per line'),
  keepFormulas: switchFlag('with --csv: cells as they are'),
  md: switchFlag('as Markdown'),
  output: textFlag('FILE', 'write to a file'),
  ...commonFlags,
};

type Flags = ValuesOf<typeof flags>;

export const artifact = command(
  {
    brief: 'show an artifact, or those of a run',
    customUsage: ['ARTIFACT | --run RUN [--csv [--keep-formulas] | --jsonl | --md | --json] [-o FILE]'],
    positional: {
      kind: 'tuple',
      parameters: [{ parse: anId, optional: true, placeholder: 'ARTIFACT', brief: 'id of an artifact' }],
    },
    flags,
    aliases: { o: 'output' },
  },
  async (context, flags, id) => {
    checkFlags(flags, id);
    const { artifacts, runs } = serviceOf(context, flags);
    const options = { signal: context.interrupted };
    const format = formatOf(flags);
    if (id !== undefined) return show(context, flags, await textOf(context, artifacts, id, flags));
    const run = await runs.get(flags.run ?? '', options);
    if (!format) {
      if (flags.output !== undefined) throw misuse('--output with --run needs --csv, --jsonl or --md');
      answer(context, flags, { object: 'list', data: run.artifacts }, (screen) =>
        artifactsText(run.artifacts, screen),
      );
      return 'ok';
    }
    const only = onlyOne(run.artifacts, format === 'md' ? 'text' : 'table');
    return show(context, flags, await textOf(context, artifacts, only.id, flags));
  },
);

function checkFlags(flags: Flags, id: string | undefined): void {
  const { run, csv, jsonl, md, json, keepFormulas } = flags;
  if ((id === undefined) === (run === undefined))
    throw misuse('name an artifact by its id, or a run by --run, one of them');
  if ([csv, jsonl, md, json].filter(Boolean).length > 1)
    throw misuse('use one of --csv, --jsonl, --md and --json');
  if (keepFormulas && !csv) throw misuse('--keep-formulas goes with --csv');
}

function formatOf({ csv, jsonl, md }: Flags): ExportArtifact['format'] {
  if (csv) return 'csv';
  if (jsonl) return 'jsonl';
  return md ? 'md' : undefined;
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

function show(context: Context, flags: Flags, text: string): 'ok' {
  const { output } = flags;
  if (output === undefined) {
    // A terminal gets no control characters; a file or pipe gets the data unchanged.
    const { isTTY } = context.stdout;
    const isMarkdown = !flags.json && formatOf(flags) === undefined;
    const shown = isTTY ? plainText(text) : text;
    context.stdout.write(isMarkdown ? asShown(shown, screenOf(context)) : shown);
    return 'ok';
  }
  try {
    writeFileSync(resolve(context.cwd, output), text);
  } catch (error) {
    throw misuse(`--output: ${messageOf(error)}`);
  }
  say(context, `${counted(Buffer.byteLength(text), 'byte')} written to ${output}`);
  return 'ok';
}

/** An artifact as the flags want it: by default a table in columns, anything else as Markdown. */
async function textOf(
  context: Context,
  artifacts: RunService['artifacts'],
  id: string,
  flags: Flags,
): Promise<string> {
  const options = { signal: context.interrupted };
  const format = formatOf(flags);
  const formulas = flags.keepFormulas ? ('keep' as const) : undefined;
  if (format) return artifacts.export(id, { format, ...(formulas && { formulas }) }, options);
  const artifact = await artifacts.get(id, options);
  if (flags.json) return `${jsonLine(artifact)}\n`;
  if (artifact.kind === 'table')
    return tableText(artifact, flags.output === undefined ? screenOf(context).columns : undefined);
  return artifacts.export(id, { format: 'md' }, options);
}

function tableText({ columns, rows }: TableArtifact, room: number | undefined): string {
  const shown = shownColumns(columns, rows);
  return columnsText(
    rows.map((row) => shown.map((column) => cellText(row[column]))),
    { heads: shown, columns: room },
  );
}

function cellText(cell: Row[string]): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'string' ? withoutLinks(cell) : JSON.stringify(cell);
}
