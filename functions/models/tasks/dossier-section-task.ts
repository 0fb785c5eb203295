// The task `dossier_section`: writes one section of a dossier, as markdown without the heading.
import type { Direction } from '#contract/entities.ts';
import { formOf, text } from './answer-schema.ts';
import { memberIn, textIn } from './as-meant.ts';
import { fitItem, fitTexts, sizeOf } from './fit.ts';
import { defineTask, LINKS, type ModelItem, shortened } from './model-task.ts';
import { linkIds, ShortIds } from './short-ids.ts';

interface Input {
  heading: string;
  entity: ModelItem;
  relationships: {
    entity_id: string;
    name: string;
    type: string;
    relationship_type: string;
    direction: Direction;
    role: string | null;
  }[];
  recent_activity: { at: number; text: string }[];
  /** Findings over what is too much for one call: relationships and activity that are not in these lists. */
  findings?: string[];
  max_tokens: number;
}

interface Output {
  content: string;
}

function idsOf({ entity, relationships, findings = [] }: Input): ShortIds {
  const linked = linkIds([], findings);
  return new ShortIds([entity.id, ...relationships.map(({ entity_id }) => entity_id), ...linked.ids]);
}

export const dossierSection = defineTask<Input, Output>({
  prompt: [
    'Write one section of a dossier on the entity, under the heading in the request, without repeating the heading. A relationship of',
    'direction "out" leads from the entity to the named record, one of direction "in" from that record to the entity: never reverse it.',
    '`findings`, where given, are over relationships and activity besides those in the lists.',
    LINKS,
    'For example, "Relationships": {"content":"[Acme](entity=r1) is a customer of [Bolt](entity=r2)."}; where the data say nothing of the',
    'heading: {"content":"Nothing is recorded about contracts."}',
  ].join('\n'),
  shown(input) {
    const { heading, entity, relationships, recent_activity, findings, max_tokens } = input;
    const ids = idsOf(input);
    return {
      data: {
        entity: ids.item(entity),
        relationships: relationships.map(({ entity_id, ...one }) => ({ id: ids.of(entity_id), ...one })),
        recent_activity: recent_activity.map((one) => ({ ...one, at: new Date(one.at).toISOString() })),
        ...(findings && { findings: findings.map((one) => ids.shorten(one)) }),
      },
      request: { heading, max_tokens },
    };
  },
  answerFor: () => formOf({ content: text }),
  judge(answer, input) {
    const content = textIn(memberIn(answer, 'content'));
    return content === '' ? 'There is no content.' : { content: idsOf(input).restore(content) };
  },
  halved(input) {
    const { entity, relationships, recent_activity, findings } = input;
    const fewer = relationships.slice(0, Math.floor(relationships.length / 2));
    const { item, is_cut } = fitItem(entity, sizeOf(entity) / 2);
    const shorter = {
      ...input,
      entity: item,
      relationships: fewer,
      recent_activity: recent_activity.slice(0, Math.floor(recent_activity.length / 2)),
      ...(findings && { findings: fitTexts(findings, sizeOf(findings) / 2).texts }),
    };
    return shortened(shorter, {
      left_out: Number(is_cut) + relationships.length - fewer.length,
      of: 1 + relationships.length,
    });
  },
});
