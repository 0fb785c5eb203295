// How a command is declared, with flags from which the types of their values follow, and how its errors are reported.
import {
  buildCommand,
  type Command,
  type FlagParametersForType,
  type TypedCommandParameters,
  type TypedCommandPositionalParameters,
} from '@stricli/core';
import { ApiError, ConnectionError } from '../../sdk/index.ts';
import { type ExitName, exitCodes, exitOfStatus } from '../exit-codes.ts';
import { jsonLine, plainLine, withoutKeys } from '../output/plain.ts';
import { messageOf, Problem } from '../problem.ts';
import type { Context } from '../surroundings.ts';
import { commonFlags, say } from './command.ts';

/** What is read of a flag or an argument: by its parser, or one of its words. */
type ReadOf<P> = P extends { parse: (text: string) => infer T }
  ? T
  : P extends { values: readonly (infer T)[] }
    ? T
    : boolean;
type ValueOf<F> = F extends { variadic: unknown } ? readonly ReadOf<F>[] : ReadOf<F>;

/** The values of flags; those that may be left out may be absent. */
export type ValuesOf<S> = {
  readonly [K in keyof S as S[K] extends { optional: true } ? K : never]?: ValueOf<S[K]>;
} & { readonly [K in keyof S as S[K] extends { optional: true } ? never : K]: ValueOf<S[K]> };

/** The values of arguments: one each, or any number of one kind. */
type ArgsOf<P> = P extends { parameters: infer L extends readonly unknown[] }
  ? { [I in keyof L]: L[I] extends { optional: true } ? ReadOf<L[I]> | undefined : ReadOf<L[I]> }
  : P extends { parameter: infer E }
    ? ReadOf<E>[]
    : [];

interface Declaration<S, P> {
  brief: string;
  fullDescription?: string;
  customUsage?: readonly string[];
  positional?: P & TypedCommandPositionalParameters<ArgsOf<P>, Context>['positional'];
  /** The common ones by default. */
  flags?: S & FlagParametersForType<ValuesOf<S>, Context>;
  aliases?: Readonly<Record<string, keyof S>>;
}

/** The command that does the work; errors become one line on stderr and an exit code. */
export function command<const S = typeof commonFlags, const P = undefined>(
  { brief, fullDescription, customUsage, ...parameters }: Declaration<S, P>,
  work: (context: Context, flags: ValuesOf<S>, ...args: ArgsOf<P>) => Promise<ExitName>,
): Command<Context> {
  return buildCommand<ValuesOf<S>, ArgsOf<P>, Context>({
    docs: { brief, fullDescription, customUsage },
    // The parser's types follow from those of the values, which here follow from the flags.
    parameters: { flags: commonFlags, ...parameters } as TypedCommandParameters<
      ValuesOf<S>,
      ArgsOf<P>,
      Context
    >,
    async func(flags, ...args) {
      try {
        this.exitCode = exitCodes[await work(this, flags, ...args)];
      } catch (error) {
        const { exitCode, line, more = [], body } = reported(error, this.interrupted.aborted);
        if ('json' in flags && flags.json && body) this.stderr.write(`${jsonLine({ error: body })}\n`);
        else for (const said of [line, ...more]) if (said !== '') say(this, withoutKeys(said));
        this.exitCode = exitCode;
      }
    },
  });
}

interface Reported {
  exitCode: number;
  line: string;
  /** Further lines, one for each further fault of a request. */
  more?: string[];
  /** The content of the error envelope, for --json. */
  body?: object;
}

function reported(error: unknown, interrupted: boolean): Reported {
  if (error instanceof Problem) return { exitCode: error.exitCode, line: `runs: ${error.message}` };
  if (interrupted) return { exitCode: exitCodes.interrupted, line: '' };
  if (error instanceof ApiError)
    return { exitCode: exitCodes[exitOfStatus(error.status)], ...refusal(error) };
  const away = error instanceof ConnectionError ? 'the service does not answer: ' : '';
  return { exitCode: exitCodes.service_away, line: `runs: ${away}${messageOf(error)}` };
}

function refusal(error: ApiError): Pick<Reported, 'line' | 'more' | 'body'> {
  const { code, type, message, docUrl, requestId, param, details } = error;
  const [first = oneFault(error), ...others] = faultsOf(details);
  return {
    line: `runs: ${code}: ${plainLine(first)} (${docUrl}, request ${requestId})`,
    more: others.map((fault) => `runs: ${code}: ${plainLine(fault)}`),
    body: { code, type, message, doc_url: docUrl, request_id: requestId, param, details },
  };
}

function oneFault({ message, param, details }: ApiError): string {
  const where = param === undefined ? '' : `${param}: `;
  return `${where}${message}${details === undefined ? '' : ` ${jsonLine(details)}`}`;
}

/** What is wrong with a request, each as `plan.steps.0.params.wher: Unknown field "wher"`. */
function faultsOf(details: object | undefined): string[] {
  if (!details || !('issues' in details) || !Array.isArray(details.issues)) return [];
  return details.issues.map(({ path, message }) => `${[path].flat().join('.')}: ${message}`);
}
