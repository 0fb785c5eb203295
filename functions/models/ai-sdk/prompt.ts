// The prompt of a call. Instructions never depend on record content; records are data in their own block. What changes
// least from call to call comes first, so that a cache of prompts can reuse it.
import type { Exchange } from '#models/model.ts';
import { asJson } from '#models/tasks/fit.ts';
import { COMMON } from '#models/tasks/model-task.ts';
import { type InputOf, type TaskKind, tasks } from '#models/tasks/task-registry.ts';

export interface Prompt {
  /** The instructions; identical for every call of a task. */
  instructions: string;
  /** The data and the caller's request, each as JSON in its own block. */
  prompt: string;
}

/** Where the data end, which are escaped and so never have it. */
export const REQUEST = '<request>';

/** The prompt of one call. */
export function promptFor<K extends TaskKind>(kind: K, input: InputOf<K>): Prompt {
  const task = tasks[kind];
  const { data, request } = task.shown(input);
  return {
    instructions: `${COMMON}\n\n${task.prompt}${'max_tokens' in request ? '\nKeep to about `max_tokens` tokens in all.' : ''}`,
    prompt: `<data>\n${asJson(data)}\n</data>\n\n${REQUEST}\n${asJson(request)}\n</request>`,
  };
}

/** The messages of a first request. */
export function messagesFor<K extends TaskKind>(kind: K, input: InputOf<K>): Exchange['messages'] {
  const { instructions, prompt } = promptFor(kind, input);
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: prompt },
  ];
}
