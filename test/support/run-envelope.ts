// The envelope of a run in the reply to its creation.

/** All fields that do not differ between runs; nothing has run yet, and no model was called. */
export const createdEnvelope = {
  object: 'run' as const,
  status: 'pending' as const,
  waiting: null,
  config: {},
  steps: [],
  message: null,
  artifacts: [],
  note_ids: [],
  warnings: [],
  errors: [],
  usage: {
    calls: 0,
    unpriced_calls: 0,
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    thinking_tokens: 0,
    cost_usd: 0,
    models: [],
    simulated: true as const,
  },
  resumable: false,
  resume_count: 0,
};
