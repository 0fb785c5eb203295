// From the first words of a command line to the commands that they name.
import { unknownWord } from '../../lib/command-line.ts';
import { CliError } from './cli-error.ts';
import { usages } from './command-table.ts';

const names = Object.keys(usages);
const nouns = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))];

/** The words before the first flag: noun, verb and what follows them. */
export function wordsOf(args: string[]): string[] {
  const firstFlag = args.findIndex((word) => word.startsWith('-'));
  return firstFlag < 0 ? args : args.slice(0, firstFlag);
}

/**
 * Names of the commands that words stand for: all of them without a word, those of a noun, or one. Words after the verb do not matter.
 * Throws CliError `unknown_command` that names the nearest noun or verb.
 */
export function findCommands([noun, verb]: string[]): string[] {
  if (noun === undefined) return names;
  const ofNoun = names.filter((name) => name.split(' ')[0] === noun);
  if (ofNoun.length === 0) throw new CliError('unknown_command', unknownWord('noun', noun, nouns));
  if (verb === undefined || ofNoun.includes(noun)) return ofNoun;
  const name = `${noun} ${verb}`;
  if (!ofNoun.includes(name)) throw new CliError('unknown_command', unknownWord('command', name, ofNoun));
  return [name];
}
