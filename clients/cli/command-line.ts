// How command lines are scanned, here and in the admin CLI, and one line for each invalid argument.
import {
  type ArgumentScannerError,
  formatMessageForArgumentScannerError,
  type ScannerConfiguration,
} from '@stricli/core';
import { messageOf } from './problem.ts';

export const scanner = {
  caseStyle: 'allow-kebab-for-camel',
  allowArgumentEscapeSequence: true,
  // Large enough that the closest match is always found.
  distanceOptions: {
    threshold: 1000,
    weights: { insertion: 1, deletion: 3, substitution: 2, transposition: 0 },
  },
} as const satisfies ScannerConfiguration;

/** What is wrong with an argument, in one line. */
export function argumentProblem(error: ArgumentScannerError): string {
  return formatMessageForArgumentScannerError(error, {
    FlagNotFoundError: ({ input, corrections: [nearest] }) =>
      `unknown flag --${input.split('=')[0]}${nearest === undefined ? '' : `; did you mean --${nearest}?`}`,
    AliasNotFoundError: ({ input }) => `unknown flag -${input}; --help prints the flags`,
    ArgumentParseError: ({ externalFlagNameOrPlaceholder: name, input, exception }) =>
      `${nameOf(name)}: "${input}" is not valid: ${messageOf(exception)}`,
    EnumValidationError: ({ externalFlagName, input, values }) =>
      `--${externalFlagName}: "${input}" is none of ${values.join(', ')}`,
    UnexpectedFlagError: ({ externalFlagName }) => `--${externalFlagName} is given twice`,
    UnexpectedPositionalError: ({ input }) => `unexpected "${input}"; --help prints how it is used`,
    UnsatisfiedFlagError: ({ externalFlagName, nextFlagName }) =>
      `--${externalFlagName} needs a value${nextFlagName === undefined ? '' : `, before --${nextFlagName}`}`,
    UnsatisfiedPositionalError: ({ placeholder }) =>
      `${placeholder} is missing; --help prints how it is used`,
  });
}

/** Flags in kebab case, arguments in capitals. */
function nameOf(name: string): string {
  return name === name.toUpperCase() ? name : `--${name}`;
}
