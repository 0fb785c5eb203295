// No endpoint that may answer a call can be asked now (rules.md: models 3).
import type { ModelError } from './model.ts';

/** All endpoints of a task are away. No failure of the call: it is made once one of them is back. */
export class ModelsAway extends Error {
  /** Epoch ms from which a call is worth while. */
  readonly until: number;
  /** The first endpoint of the task. */
  readonly model: string;
  /** The provider's last words, where this process has them. */
  readonly last: ModelError | undefined;
  constructor(until: number, model: string, last?: ModelError) {
    super(last?.message ?? 'The model is away.');
    this.name = 'ModelsAway';
    this.until = until;
    this.model = model;
    this.last = last;
  }
}
