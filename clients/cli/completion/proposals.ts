// Completions for a shell: the scripts of `runs completion` ask for them through the hidden word below.
import { type Application, proposeCompletions } from '@stricli/core';
import { withLocalFolder } from '../argument-parsers.ts';
import type { Context } from '../surroundings.ts';

/** Asks for completions of the words after it; the last one is being typed. */
export const COMPLETE = '__complete';

/** One line per proposal: the word, a tab, its description. */
export async function proposals(
  application: Application<Context>,
  words: readonly string[],
  context: Context,
): Promise<string> {
  const before = withLocalFolder(words.slice(0, -1), context.cwd);
  const found = await proposeCompletions(application, [...before, words.at(-1) ?? ''], context);
  return found
    .filter(({ completion }) => completion !== '--')
    .map(({ completion, brief }) => `${completion}\t${brief}\n`)
    .join('');
}
