// One command of the admin CLI, for a local or a deployed service (rules.md: admin 1).
import { pipeline } from 'node:stream/promises';
import type * as z from 'zod';
import { progressOn } from '../../clients/cli/output/progress.ts';
import { Command, ImportBridge, ImportSource, issueLines } from '../../functions/admin/commands.ts';
import { CliError } from './cli-error.ts';
import { usages } from './command-table.ts';
import { connect, type Send } from './connect-admin.ts';
import { type AnswerParts, EntityChoices, importEntities, importRelationships } from './import.ts';
import { type Asked, readArguments } from './read-arguments.ts';
import { readJson } from './read-file.ts';
import { sendOn } from './send-on.ts';

const progress = progressOn(process.stderr);

/** Runs one command and returns what it prints. Checks files before it calls the service. Throws CliError. */
async function administer(asked: Asked): Promise<object | AnswerParts> {
  let connection: Promise<Send> | undefined;
  const send: Send = async (input) => {
    connection ??= connect(asked.target);
    return (await connection)(input);
  };
  const { file, ids } = asked.fields;
  const command = commandOf(asked);
  if (command.command === 'entity.import' || command.command === 'relationship.import') {
    const lists = ids === true || !process.stdout.isTTY;
    const importing = { send, workspace_id: command.workspace_id, file: String(file), progress, lists };
    return command.command === 'entity.import'
      ? importEntities(importing, EntityChoices.parse(asked.fields))
      : importRelationships(importing);
  }
  return sendOn(send, command);
}

/**
 * The command that the arguments ask for, without the lines of an import. Throws CliError `invalid_arguments` or
 * `invalid_file`.
 */
function commandOf({ name, fields }: Asked): Command {
  const { file, ids: _, ...all } = fields;
  const rest = name === 'entity import' ? without(all, Object.keys(EntityChoices.shape)) : all;
  const command = Command.safeParse({
    command: name.replace(' ', '.'),
    ...rest,
    ...(name === 'entity import' && { entities: [] }),
    ...(name === 'relationship import' && { relationships: [] }),
    ...(name.startsWith('bridge ') && file !== undefined && { bridge: checked(ImportBridge, String(file)) }),
    ...(name.startsWith('source ') && file !== undefined && { source: checked(ImportSource, String(file)) }),
  });
  if (command.success) return command.data;
  const flags = Object.entries(usages[name]?.flags ?? {});
  const wrong = issueLines(command.error).map((line) => {
    const flag = flags.find(([, { field }]) => line.startsWith(`${field}:`) || line.startsWith(`${field}.`));
    return flag ? line.replace(flag[1].field, `--${flag[0]}`) : line;
  });
  throw new CliError('invalid_arguments', wrong.join('; '));
}

function without(fields: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** The value of a file. Throws CliError `invalid_file` with the place of each fault. */
function checked(schema: z.ZodType, file: string): unknown {
  const value = readJson(file);
  const result = schema.safeParse(value);
  if (result.success) return value;
  throw new CliError('invalid_file', `${file}: ${issueLines(result.error).join('; ')}`);
}

/** Writes one JSON object and a newline. An object in parts is written as fast as the reader takes it. */
async function print(answer: object | AnswerParts): Promise<void> {
  const parts = Symbol.asyncIterator in answer ? answer : [JSON.stringify(answer)];
  await pipeline(parts, process.stdout, { end: false });
  process.stdout.write('\n');
}

/**
 * Runs one command line, which begins with `call`; by default, with the script of the repository. Prints one JSON
 * object and exits with code 0, or prints its error and exits with code 1.
 */
export async function adminCommand(args: string[], call?: string): Promise<void> {
  // A reader may close the pipe early (`| head`): the command is done by then.
  for (const output of [process.stdout, process.stderr])
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(0);
    });
  try {
    const asked = await readArguments(args, call);
    if (typeof asked === 'string') process.stdout.write(asked);
    else {
      const answer = await administer(asked);
      progress.clear();
      await print(answer);
    }
  } catch (error) {
    progress.clear();
    const { code, message } =
      error instanceof CliError
        ? error
        : { code: 'internal_error', message: error instanceof Error ? error.message : String(error) };
    process.stderr.write(`${JSON.stringify({ error: { code, message } })}\n`);
    process.exitCode = 1;
  }
}
