// The usage pages of the admin CLI, written from its table of commands.
import { columns } from '../../lib/command-line.ts';
import { targetFlags, usageLine, usages } from './command-table.ts';
import { findCommands, wordsOf } from './find-commands.ts';

/** The page for what stands before the first flag: nothing, a noun, or a command. Throws CliError `unknown_command`. */
export function usagePage(args: string[]): string {
  const words = wordsOf(args);
  const names = findCommands(words);
  return words.length === 0 ? overview(names) : details(names);
}

function overview(names: string[]): string {
  return `Usage: npm run --silent admin -- <noun> <verb> [flags]

Administers a running service; prints one JSON object.

${columns(names.map((name) => [name, usages[name]?.help ?? '']))}
${everyCommand()}`;
}

function details(names: string[]): string {
  const commands = names.flatMap((name) => {
    const usage = usages[name];
    return usage ? [`${usageLine(name, usage)}\n  ${usage.help}\n`] : [];
  });
  return `Usage:\n\n${commands.join('\n')}\n${everyCommand()}`;
}

function everyCommand(): string {
  const rows = Object.entries(targetFlags).map(
    ([flag, { value, help }]) => [`--${flag} ${value}`, help] as const,
  );
  return `Flags of every command:\n\n${columns([...rows, ['--help', 'print the usage; after a noun or a command, of these']])}`;
}
