// How a slice that ends before its run tells the state machine what is next.

/**
 * Thrown instead of returned: a Choice on the result would bill every run a second transition, 0.000025 USD (27 %
 * more). The state machine catches it by name.
 */
export class HandedOn extends Error {
  constructor(action: 'continue' | 'park') {
    super(`the slice is over: ${action}`);
    this.name = action === 'continue' ? 'RunContinues' : 'RunParks';
  }
}
