// What a shell may complete: asked by the scripts of `runs completion` through the hidden word below.
import { type Application, proposeCompletions } from '@stricli/core';
import { withLocalFolder } from '../arguments.ts';
import type { Context } from '../context.ts';

/** First word of a command line that asks for completions of the words behind it; the last one is the one in hand. */
export const COMPLETE = '__complete';

/** A line per proposal: the word, a tab, what it means. */
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
