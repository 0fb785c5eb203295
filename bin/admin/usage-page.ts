// The usage pages of the admin CLI, generated from its command table.
import { columns } from '../../lib/local/cli/usage-text.ts';
import { commandsUnder, targetFlags, type Usage } from './command-table.ts';

/** The synopsis of a command, for an admin CLI that is called so. */
export function usageLine(call: string, name: string, { positional, flags }: Usage): string {
  const words = Object.entries(flags).map(([flag, { placeholder, required }]) => {
    const word = `--${flag} ${placeholder}`.trim();
    return required ? word : `[${word}]`;
  });
  return [call, name, ...(positional ? [positional.placeholder] : []), ...words].join(' ');
}

/** The page of all commands, of a noun or of one command. */
export function usagePage(call: string, words: readonly string[]): string {
  const commands = commandsUnder(words);
  const page =
    words.length === 0
      ? `Usage: ${call} <noun> <verb> [flags]\n\nAdministers a running service; prints one JSON object.\n\n${columns(commands.map(([name, { help }]) => [name, help]))}`
      : `Usage:\n\n${commands.map(([name, usage]) => `${usageLine(call, name, usage)}\n  ${usage.help}\n`).join('\n')}`;
  const everywhere = Object.entries(targetFlags).map(
    ([flag, { placeholder, help }]) => [`--${flag} ${placeholder}`, help] as const,
  );
  return `${page}\nFlags of every command:\n\n${columns([...everywhere, ['--help', 'print the usage; after a noun or a command, of these']])}`;
}
