// How a slice that ends before its run tells the state machine what comes next.

/** Thrown instead of an answer, because the machine can only branch on an error without a further, billed state. It knows the name. */
export class HandedOn extends Error {
  constructor(action: 'continue' | 'park') {
    super(`the slice is over: ${action}`);
    this.name = action === 'continue' ? 'RunContinues' : 'RunParks';
  }
}
