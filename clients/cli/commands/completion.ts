// `completion`: prints the shell completion script of `runs`.
import { type Shell, scripts, shells } from '../completion/scripts.ts';
import { answer, jsonFlag } from './command.ts';
import { command } from './define.ts';

export const completion = command(
  {
    brief: 'print the completion script of a shell',
    fullDescription:
      'bash: source <(runs completion bash)   zsh: source <(runs completion zsh)   fish: runs completion fish | source',
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: shellOf, placeholder: 'SHELL', brief: shells.join(', '), proposeCompletions: () => shells },
      ],
    },
    flags: jsonFlag,
  },
  async (context, flags, shell) => {
    answer(context, flags, { shell, script: scripts[shell] }, () => scripts[shell]);
    return 'ok';
  },
);

function shellOf(name: string): Shell {
  const shell = shells.find((known) => known === name);
  if (shell) return shell;
  throw new Error(`use one of ${shells.join(', ')}`);
}
