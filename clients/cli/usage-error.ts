// The message for an invalid command line: one line, with the closest option.
import {
  type ApplicationText,
  ArgumentScannerError,
  FlagNotFoundError,
  text_en,
  UnexpectedPositionalError,
} from '@stricli/core';
import { argumentProblem } from './command-line.ts';
import { plainLine, withoutKeys } from './output/plain.ts';
import { messageOf } from './problem.ts';

const KEY_HINT = 'a key is never taken from the command line: use `runs login` or RUNS_API_KEY';

/** One line without keys or control characters. */
function line(text: string): string {
  return `runs: ${withoutKeys(plainLine(text))}`;
}

function parsingProblem(error: unknown): string {
  if (!(error instanceof ArgumentScannerError)) return messageOf(error);
  const isKey =
    (error instanceof FlagNotFoundError && /^(api-?)?(key|token|secret)(=|$)/i.test(error.input)) ||
    (error instanceof UnexpectedPositionalError && error.input.startsWith('sk_'));
  return isKey ? KEY_HINT : argumentProblem(error);
}

/** The texts of the command line parser. */
export const texts: ApplicationText = {
  ...text_en,
  noCommandRegisteredForInput: ({ input, corrections: [nearest] }) => {
    if (input.startsWith('-'))
      return line(`${input.split('=')[0]} goes behind the command, as in: runs list ${input.split('=')[0]}`);
    return line(
      `unknown command ${input}${nearest === undefined ? '' : `; did you mean ${nearest.replaceAll('`', '')}?`}`,
    );
  },
  exceptionWhileParsingArguments: (error) => line(parsingProblem(error)),
  exceptionWhileRunningCommand: (error) => line(messageOf(error)),
  commandErrorResult: ({ message }) => line(message),
};
