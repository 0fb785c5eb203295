// What is said of a command line that cannot be meant: one line, with the nearest right option.
import {
  type AliasNotFoundError,
  type ApplicationText,
  ArgumentScannerError,
  formatMessageForArgumentScannerError,
  text_en,
} from '@stricli/core';
import { plainLine, withoutKeys } from './output/plain.ts';
import { messageOf } from './problem.ts';

const KEY_HINT = 'a key is never taken from the command line: use `runs login` or RUNS_API_KEY';

/** One line that shows no key and steers no terminal. */
function line(text: string): string {
  return `runs: ${withoutKeys(plainLine(text))}`;
}

const alias = ({ input }: AliasNotFoundError) => `unknown flag -${input}; --help prints the flags`;

function argumentProblem(error: ArgumentScannerError): string {
  return formatMessageForArgumentScannerError(error, {
    FlagNotFoundError: ({ input, corrections: [nearest] }) => {
      const name = input.split('=')[0] ?? '';
      if (/^(api-?)?(key|token|secret)$/i.test(name)) return KEY_HINT;
      return `unknown flag --${name}${nearest === undefined ? '' : `; did you mean --${nearest}?`}`;
    },
    AliasNotFoundError: alias,
    ArgumentParseError: ({ externalFlagNameOrPlaceholder: name, input, exception }) =>
      `${nameOf(name)}: "${input}" will not do: ${messageOf(exception)}`,
    EnumValidationError: ({ externalFlagName, input, values }) =>
      `--${externalFlagName}: "${input}" is none of ${values.join(', ')}`,
    UnexpectedFlagError: ({ externalFlagName }) => `--${externalFlagName} is given twice`,
    UnexpectedPositionalError: ({ input }) =>
      /^sk_/.test(input) ? KEY_HINT : `unexpected "${input}"; --help prints how it is used`,
    UnsatisfiedFlagError: ({ externalFlagName, nextFlagName }) =>
      `--${externalFlagName} needs a value${nextFlagName === undefined ? '' : `, before --${nextFlagName}`}`,
    UnsatisfiedPositionalError: ({ placeholder }) =>
      `${placeholder} is missing; --help prints how it is used`,
  });
}

/** Flags are named in kebab case, arguments in capitals. */
function nameOf(name: string): string {
  return name === name.toUpperCase() ? name : `--${name}`;
}

/** The texts of the command line's reader. */
export const texts: ApplicationText = {
  ...text_en,
  noCommandRegisteredForInput: ({ input, corrections: [nearest] }) => {
    if (input.startsWith('-'))
      return line(`${input.split('=')[0]} goes behind the command, as in: runs list ${input.split('=')[0]}`);
    return line(
      `unknown command ${input}${nearest === undefined ? '' : `; did you mean ${nearest.replaceAll('`', '')}?`}`,
    );
  },
  exceptionWhileParsingArguments: (error) =>
    line(error instanceof ArgumentScannerError ? argumentProblem(error) : messageOf(error)),
  exceptionWhileRunningCommand: (error) => line(messageOf(error)),
  commandErrorResult: ({ message }) => line(message),
};
