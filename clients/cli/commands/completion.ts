// `completion`: prints the shell completion script of `runs`.
import { buildCommand } from '@stricli/core';
import { type Shell, scripts, shells } from '../completion/scripts.ts';
import type { Context } from '../surroundings.ts';
import { answer, guarded, jsonFlag } from './command.ts';

interface Flags {
  readonly json?: boolean;
}

export const completion = buildCommand<Flags, [Shell], Context>({
  docs: {
    brief: 'print the completion script of a shell',
    fullDescription:
      'bash: source <(runs completion bash)   zsh: source <(runs completion zsh)   fish: runs completion fish | source',
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: shellOf, placeholder: 'SHELL', brief: shells.join(', '), proposeCompletions: () => shells },
      ],
    },
    flags: jsonFlag,
  },
  func: guarded(async (context, flags, shell) => {
    answer(context, flags, { shell, script: scripts[shell] }, () => scripts[shell]);
    return 'ok';
  }),
});

function shellOf(name: string): Shell {
  const shell = shells.find((known) => known === name);
  if (shell) return shell;
  throw new Error(`use one of ${shells.join(', ')}`);
}
