// `import`: the records of a CSV, TSV, JSON or NDJSON file.
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { FileProblem } from '../../record-file/file-problem.ts';
import { ImportBroken, type ImportOutcome, importRecords } from '../../record-file/import-records.ts';
import { openFile } from '../../record-file/open-file.ts';
import { type RecordFile, readRecordFile } from '../../record-file/record-file.ts';
import type { EntityLine } from '../../sdk/index.ts';
import { counted } from '../output/amounts.ts';
import { columnsText } from '../output/columns.ts';
import { plainLine } from '../output/plain.ts';
import { progressOn } from '../output/progress.ts';
import { redraws, shortened, sizeOf } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import type { Context } from '../surroundings.ts';
import { answer, commonFlags, repeatedFlag, say, serviceOf, switchFlag, text, textFlag } from './command.ts';
import { command, type ValuesOf } from './define.ts';

const flags = {
  type: textFlag('TYPE', 'the type of the records, as ticket; lines of {type, name, fields} have their own'),
  nameField: textFlag('COLUMN', 'the column with the name (name, else the first text that always differs)'),
  idField: textFlag('COLUMN', 'the column with an id: the same id is the same record'),
  text: repeatedFlag(text, 'COLUMN', 'a column whose cells stay as they are written'),
  update: switchFlag('records that exist get the content of their rows; else they are left as they are'),
  dryRun: switchFlag('say what would become of the rows; nothing is imported'),
  ...commonFlags,
};

type Flags = ValuesOf<typeof flags>;

export const importFile = command(
  {
    brief: 'import the records of a file: CSV, TSV, JSON or NDJSON',
    customUsage: ['FILE --type TYPE [--name-field COLUMN] [--id-field COLUMN] [--update] [--dry-run]'],
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: text, placeholder: 'FILE', brief: 'a file with a header row, or of JSON objects' },
      ],
    },
    flags,
  },
  async (context, flags, path) => {
    const service = serviceOf(context, flags);
    const file = await fileAt(context, flags, path);
    if (!flags.json) await preview(context, file);
    if (!flags.dryRun && file.rows > 0 && !(await agreed(context, file))) {
      say(context, 'nothing was imported');
      return 'interrupted';
    }
    const options = { update: flags.update === true, dry_run: flags.dryRun === true };
    const progress = progressOn(redraws(context) ? context.stderr : UNSEEN);
    const outcome = await importRecords(
      file,
      (records) =>
        // The service checks each line.
        service.entities.import(records as EntityLine[], { ...options, signal: context.interrupted }),
      ({ done, rows }) => progress.show(`${done} of ${rows} rows`),
    )
      .finally(progress.clear)
      .catch((error: unknown) => {
        throw error instanceof ImportBroken ? broken(context, flags, path, error) : error;
      });
    answer(context, flags, resultOf(outcome), () => outcomeText(outcome, flags));
    for (const { line, path: at, message } of outcome.refused)
      say(context, `line ${line}: ${at === '' ? '' : `${at}: `}${message}`);
    const more = outcome.refused_count - outcome.refused.length;
    if (more > 0) say(context, `and ${counted(more, 'more line')}`);
    return outcome.refused_count > 0 ? 'refused' : 'ok';
  },
);

/** The file, read once. Throws Problem with what is wrong with it. */
async function fileAt({ cwd }: Context, flags: Flags, path: string): Promise<RecordFile> {
  const { type, nameField: name_field, idField: id_field, text: text_fields } = flags;
  try {
    const file = await openFile(resolve(cwd, path));
    return await readRecordFile(file, { type, name_field, id_field, text_fields });
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    throw new Problem('refused', `${path}: ${error.message} Nothing was imported.`);
  }
}

/** The columns with their kinds, and the first record. */
async function preview(context: Context, file: RecordFile): Promise<void> {
  const { format, encoding, rows, columns } = file;
  const named = encoding === 'utf-8' ? format.toUpperCase() : `${format.toUpperCase()} in ${encoding}`;
  say(context, `${counted(rows, 'row')} of ${named}`);
  const table = columns.map(({ name, kind, role, filled }) => [
    name,
    role === 'field' ? kind : role,
    filled === rows ? '' : `${counted(rows - filled, 'row')} without`,
  ]);
  context.stderr.write(columnsText(table));
  for await (const { record } of file.records()) {
    const line = `first record: ${JSON.stringify(record)}`;
    say(context, redraws(context) ? shortened(line, sizeOf(context.stderr).columns) : line);
    break;
  }
}

/** Asks on a terminal, where a person can answer. */
async function agreed({ stdin, stderr, interrupted }: Context, file: RecordFile): Promise<boolean> {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return true;
  stderr.write(`Import ${counted(file.rows, 'row')}? [y/N] `);
  const reader = createInterface({ input: stdin });
  try {
    return /^y(?:es)?$/i.test((await reader.question('', { signal: interrupted })).trim());
  } finally {
    reader.close();
  }
}

/** Of a program that reads the output, nothing is redrawn. */
const UNSEEN = { write: () => undefined };

function resultOf({ created, updated, unchanged, refused, refused_count }: ImportOutcome) {
  const imported = created + updated + unchanged;
  return { imported, created, updated, unchanged, refused: refused_count, errors: refused };
}

function outcomeText(outcome: ImportOutcome, { update, dryRun }: Flags): string {
  const { created, updated, unchanged, refused_count } = outcome;
  const parts = [
    `${created} created`,
    ...(update ? [`${updated} updated`, `${unchanged} unchanged`] : [`${unchanged} left as they were`]),
    ...(refused_count > 0 ? [`${refused_count} refused`] : []),
  ];
  return `${dryRun ? 'would be: ' : ''}${parts.join(', ')}\n`;
}

/** What is in, and how to go on; then the cause as any command reports it. */
function broken(
  context: Context,
  { dryRun }: Flags,
  path: string,
  { outcome, cause }: ImportBroken,
): unknown {
  const { done, rows, last_line } = outcome;
  const upTo = last_line > 0 ? `, up to line ${last_line}` : '';
  if (!dryRun)
    say(
      context,
      done === 0
        ? 'no row was imported for certain; the same command again completes it'
        : `${done} of ${rows} rows are in${upTo}; the same command again completes it`,
    );
  if (cause instanceof FileProblem) return new Problem('refused', plainLine(`${path}: ${cause.message}`));
  return cause;
}
