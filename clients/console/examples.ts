// Sample runs for first-time users, for any workspace with records.
import type { CreateRun, RunService } from '../sdk/index.ts';

/** A run to try, and a short description. */
export interface Example {
  title: string;
  shows: string;
  /** The request; a dossier first looks up a record. Throws Error when there is none, and the client's errors. */
  body(client: RunService): Promise<CreateRun> | CreateRun;
}

const berlin: CreateRun = {
  input_type: 'plan',
  plan: {
    title: 'Companies in Berlin',
    steps: [
      { kind: 'fetch', title: 'Companies', params: { source: 'companies' } },
      { kind: 'filter', title: 'In Berlin', instructions: 'companies in Berlin' },
      { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['table', 'text'] } },
    ],
  },
};

export const examples: readonly Example[] = [
  {
    title: 'Ask a question',
    shows: 'Top 5 companies by revenue',
    body: () => ({ input_type: 'query', query: 'Top 5 companies by revenue' }),
  },
  { title: 'Run a plan', shows: 'Companies in Berlin, in three steps', body: () => berlin },
  {
    title: 'Write a dossier',
    shows: 'About the first company of the workspace',
    async body(client) {
      const [found] = await client.entities.search({ type: 'company', limit: 1 });
      if (!found) throw new Error('This workspace has no company yet. Import records, then try again.');
      return { input_type: 'preset', preset: 'dossier', params: { entity: { id: found.entity_id } } };
    },
  },
];
