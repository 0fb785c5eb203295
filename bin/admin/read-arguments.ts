// From a command line to a command, its fields and the service that it is for.
import { parseArgs } from 'node:util';
import { flagProblem } from '../../lib/command-line.ts';
import { CliError } from './cli-error.ts';
import { type Flag, targetFlags, type Usage, usageLine, usages } from './command-table.ts';
import { findCommands, wordsOf } from './find-commands.ts';

/** Where the service is: a local one by its data folder, or a deployed stack. */
export type Target = { dataDir: string } | { stack: string; region: string | undefined };

export interface Asked {
  /** Noun and verb, as `workspace create`. */
  name: string;
  fields: Record<string, unknown>;
  target: Target;
}

const invalid = (message: string) => new CliError('invalid_arguments', message);

/** Reads the arguments after `admin`. Throws CliError `unknown_command` or `invalid_arguments`. */
export function readArguments(args: string[]): Asked {
  const [name = '', ...others] = findCommands(wordsOf(args));
  const usage = others.length === 0 ? usages[name] : undefined;
  if (!usage)
    throw new CliError('unknown_command', `Use one of: ${[name, ...others].join(', ')}. --help prints how.`);
  const { values, positionals } = parse(args.slice(name.split(' ').length), name, usage);
  return {
    name,
    fields: { ...positionalField(positionals, name, usage), ...flagFields(values, name, usage) },
    target: targetOf(values),
  };
}

type Values = Record<string, string | undefined>;

function parse(args: string[], name: string, usage: Usage): { values: Values; positionals: string[] } {
  const flags = [...Object.keys(usage.flags), ...Object.keys(targetFlags)];
  const options = Object.fromEntries(
    flags.map((flag) => [flag, { type: 'string' as const, multiple: true as const }]),
  );
  const { values, positionals } = understood(
    () => parseArgs({ args, options, allowPositionals: true }),
    (error) => `${flagProblem(error, flags)} Usage: ${usageLine(name, usage)}`,
  );
  const once = Object.entries(values).map(([flag, given]) => {
    const [only, ...more] = Array.isArray(given) ? given : [];
    if (more.length > 0) throw invalid(`--${flag} is given twice.`);
    return [flag, typeof only === 'string' ? only : undefined] as const;
  });
  return { values: Object.fromEntries(once), positionals };
}

function understood<T>(read: () => T, problem: (error: unknown) => string): T {
  try {
    return read();
  } catch (error) {
    throw invalid(problem(error));
  }
}

function positionalField(given: string[], name: string, usage: Usage): Record<string, string> {
  const due = usage.positional;
  const [value] = given;
  if (given.length > (due ? 1 : 0))
    throw invalid(`Unexpected argument "${given.at(-1)}". Usage: ${usageLine(name, usage)}`);
  if (!due) return {};
  if (!value) throw invalid(`${due.shown} is missing. Usage: ${usageLine(name, usage)}`);
  return { [due.field]: value };
}

function flagFields(values: Values, name: string, usage: Usage): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [flag, { field, kind, required }] of Object.entries(usage.flags)) {
    const value = values[flag];
    if (value !== undefined) fields[field] = flagValue(flag, kind, value);
    else if (required) throw invalid(`--${flag} is missing. Usage: ${usageLine(name, usage)}`);
  }
  if (usage.someFlag && Object.keys(fields).length === 0)
    throw invalid(`Nothing to change. Usage: ${usageLine(name, usage)}`);
  return fields;
}

function flagValue(flag: string, kind: Flag['kind'], value: string): unknown {
  const list = () =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  switch (kind) {
    case 'text':
      return value;
    case 'list':
      return list();
    case 'scopes':
      return value === 'all' ? 'all' : list();
    case 'number': {
      if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value.trim()))
        throw invalid(`--${flag}: "${value}" is not a number.`);
      return Number(value);
    }
  }
}

function targetOf(values: Values): Target {
  const { stack, region, 'data-dir': dataDir } = values;
  if (stack !== undefined && dataDir !== undefined) throw invalid('Give --data-dir or --stack, not both.');
  if (region !== undefined && stack === undefined) throw invalid('--region goes with --stack.');
  return stack === undefined ? { dataDir: dataDir ?? '.local' } : { stack, region };
}
