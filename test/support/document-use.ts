// A program that uses types generated from the OpenAPI document, imported as `api`.

/** TypeScript that compiles only if unions narrow and echoed requests can be sent again. */
export const documentUse = `import type { components } from './api';
type Schemas = components['schemas'];
export const done = (event: Schemas['Event']): number =>
  event.event_type === 'step.progress' ? event.data.items_done : 0;
export const most = (error: Schemas['ErrorBody']): number | undefined =>
  error.code === 'plan_too_large' ? error.details.max_steps : undefined;
export const again = ({ input }: Schemas['Run']): Schemas['CreateRun'] | undefined =>
  input.input_type === 'plan' ? input : undefined;
`;
