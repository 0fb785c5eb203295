// The task `dossier_section`: writes one section of a dossier, as markdown without the heading.
import * as z from 'zod';
import type { Direction } from '#contract/entities.ts';
import { defineTask, LINKS, type ModelItem, Text } from './task.ts';

interface Input {
  heading: string;
  entity: ModelItem;
  relationships: {
    name: string;
    type: string;
    relationship_type: string;
    direction: Direction;
    role: string | null;
  }[];
  recent_activity: { at: number; text: string }[];
  max_tokens: number;
}

interface Output {
  content: string;
}

const Answer = z.object({ content: Text });

export const dossierSection = defineTask<Input, Output, typeof Answer>({
  prompt: `Write one section of a dossier on the entity, under the heading in the request, without repeating the heading. A relationship of direction "out" leads from the entity to the named record, one of direction "in" from that record to the entity: never reverse it. ${LINKS}`,
  request: ['heading', 'max_tokens'],
  answer: Answer,
  judge: (answer) => answer,
});
