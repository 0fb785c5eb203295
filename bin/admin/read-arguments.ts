// Parses a command line into a command, its fields and the service that it addresses.
import {
  ArgumentScannerError,
  buildApplication,
  buildCommand,
  buildRouteMap,
  type CommandContext,
  ExitCode,
  run,
  text_en,
} from '@stricli/core';
import * as z from 'zod';
import { argumentProblem, scanner } from '../../clients/cli/command-line.ts';
import { CliError } from './cli-error.ts';
import { commandsUnder, type Flag, targetFlags, type Usage, usages } from './command-table.ts';
import { usageLine, usagePage } from './usage-page.ts';

/** The service: a local one by its data folder, or a deployed stack. */
export type Target = { dataDir: string } | { stack: string; region: string | undefined };

const Target = z
  .object({ data_dir: z.string().optional(), stack: z.string().optional(), region: z.string().optional() })
  .refine(({ data_dir, stack }) => data_dir === undefined || stack === undefined, {
    message: 'Give --data-dir or --stack, not both.',
  })
  .refine(({ region, stack }) => region === undefined || stack !== undefined, {
    message: '--region goes with --stack.',
  })
  .transform(
    ({ data_dir: dataDir = '.local', stack, region }): Target =>
      stack === undefined ? { dataDir } : { stack, region },
  );

export interface Asked {
  /** Noun and verb, as `workspace create`. */
  name: string;
  fields: Record<string, unknown>;
  target: Target;
}

interface Context extends CommandContext {
  asked?: Asked;
}

/**
 * Parses the arguments after `call` into a command or a usage page. Throws CliError `unknown_command` or
 * `invalid_arguments`.
 */
export async function readArguments(
  args: string[],
  call = 'npm run --silent admin --',
): Promise<Asked | string> {
  let page = '';
  const problems: string[] = [];
  const process = {
    stdout: {
      write: (text: string) => {
        page += text;
      },
    },
    stderr: { write: (line: string) => void problems.push(line.trimEnd()) },
    exitCode: undefined as number | undefined,
  };
  const context: Context & { process: typeof process } = { process };
  await run(applicationFor(call), args.flatMap(withoutEquals), context);
  const [problem] = problems;
  if (process.exitCode === ExitCode.UnknownCommand || (!context.asked && !page && !problem))
    throw new CliError('unknown_command', unknownCommand(args, problem));
  if (problem) throw new CliError('invalid_arguments', problem);
  return context.asked ?? page;
}

/** Splits `--flag=` into the flag and an empty value, which the parser does not accept. */
function withoutEquals(arg: string): string[] {
  return /^--[a-z-]+=$/.test(arg) ? [arg.slice(0, -1), ''] : [arg];
}

/** The error for words that are not a command. */
function unknownCommand([noun = '', verb]: string[], nearest: string | undefined): string {
  const ofNoun = commandsUnder([noun]).map(([name]) => name);
  if (nearest && ofNoun.length > 0)
    return `unknown command ${noun} ${verb}; did you mean ${noun} ${nearest}?`;
  if (nearest && !noun.startsWith('-')) return `unknown noun ${noun}; did you mean ${nearest}?`;
  const names = ofNoun.length > 0 ? ofNoun : Object.keys(usages);
  return `Use one of: ${names.join(', ')}. --help prints how.`;
}

type Given = Readonly<Record<string, readonly [field: string, value: unknown] | boolean | undefined>>;

function commandOf(call: string, name: string, usage: Usage) {
  const { positional, flags, help, someFlag } = usage;
  const count = positional ? 1 : 0;
  const known = Object.fromEntries(Object.entries({ ...flags, ...targetFlags }).map(parsed));
  // The parser also finds inherited names: it would accept --constructor.
  Object.setPrototypeOf(known, null);
  const problem = (text: string) => new Error(`${text} Usage: ${usageLine(call, name, usage)}`);
  return buildCommand<Given, string[], Context>({
    docs: { brief: help },
    parameters: {
      flags: known,
      positional: {
        kind: 'array',
        minimum: count,
        maximum: count,
        parameter: { parse: String, placeholder: positional?.placeholder ?? '', brief: '' },
      },
    },
    func(given, id) {
      const fields = fieldsOf(given, flags);
      const missing = Object.keys(flags).find((flag) => flags[flag]?.required && !given[flag]);
      if (missing) return problem(`--${missing} is missing.`);
      if (someFlag && Object.keys(fields).length === 0) return problem('Nothing to change.');
      const target = Target.safeParse(fieldsOf(given, targetFlags));
      if (!target.success) return new Error(target.error.issues[0]?.message);
      this.asked = {
        name,
        fields: { ...(positional && { [positional.field]: id }), ...fields },
        target: target.data,
      };
    },
  });
}

function parsed([name, { field, parse, placeholder, isSwitch }]: [string, Flag]) {
  if (isSwitch) return [name, { kind: 'boolean', optional: true, withNegated: false, brief: field }] as const;
  const pair = (value: string) => [field, parse(value)] as const;
  return [name, { kind: 'parsed', optional: true, parse: pair, placeholder, brief: field }] as const;
}

function fieldsOf(given: Given, flags: Usage['flags']): Record<string, unknown> {
  const pairs = Object.entries(flags).flatMap(([flag, { field }]) => {
    const value = given[flag];
    return typeof value === 'boolean' ? [[field, value] as const] : value ? [value] : [];
  });
  return Object.fromEntries(pairs);
}

const nouns = Map.groupBy(Object.entries(usages), ([name]) => name.split(' ')[0] ?? '');
const routesOf = (call: string, noun: string, commands: [name: string, usage: Usage][]) =>
  buildRouteMap({
    routes: Object.fromEntries(
      commands.map(([name, usage]) => [name.slice(noun.length + 1), commandOf(call, name, usage)]),
    ),
    docs: { brief: noun },
  });

const applicationFor = (call: string) =>
  buildApplication<Context>(
    buildRouteMap({
      routes: Object.fromEntries(
        [...nouns].map(([noun, commands]) => [noun, routesOf(call, noun, commands)]),
      ),
      docs: { brief: 'Administers a running service' },
    }),
    {
      name: 'admin',
      scanner,
      documentation: { disableAnsiColor: true },
      localization: {
        text: {
          ...text_en,
          noCommandRegisteredForInput: ({ corrections }) => `${corrections[0]?.replaceAll('`', '')}`,
          exceptionWhileParsingArguments: (error) =>
            error instanceof ArgumentScannerError ? argumentProblem(error) : String(error),
          commandErrorResult: ({ message }) => message,
        },
      },
    },
    {
      help: {
        flag: {
          brief: 'print the usage',
          global: true,
          run(_, { result }) {
            this.process.stdout.write(usagePage(call, result.prefix.slice(1)));
          },
        },
      },
    },
  );
