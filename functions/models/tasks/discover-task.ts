// The task `discover`: ranks candidate records by how much they add to the items.
import { formOf, listOf, oneOf, score, text } from './answer-schema.ts';
import { listIn, memberIn, scoreIn, textIn } from './as-meant.ts';
import { fitItem, fitItems, sizeOf } from './fit.ts';
import { defineTask, type ModelItem, shortened } from './model-task.ts';
import { ShortIds } from './short-ids.ts';

interface Candidate extends ModelItem {
  links: string[];
}

interface Input {
  instructions: string;
  items: ModelItem[];
  candidates: Candidate[];
  limit: number;
}

/** Ids of candidates, best first. */
interface Output {
  picks: { id: string; score: number; reason: string }[];
}

const idsOf = (candidates: Candidate[]) => new ShortIds(candidates.map(({ id }) => id));

export const discover = defineTask<Input, Output>({
  prompt: [
    'Pick the candidates that add most to the items for this request, best first, at most `limit`, each once. `picks` has for each its',
    '`candidate` (the id), `reason` (one sentence) and `score`: 0 adds nothing, 1 a little, 2 much, 3 is exactly what is asked for. `links`',
    'are relationships that lead to it. For example, for "suppliers of Acme":',
    '{"picks":[{"candidate":"r4","reason":"Bolt supplies Acme.","score":3},{"candidate":"r2","reason":"Cargo carries its goods.","score":1}]}; [] if none adds anything.',
  ].join('\n'),
  shown({ instructions, items, candidates, limit }) {
    const ids = idsOf(candidates);
    return {
      data: {
        items: items.map(({ id: _, ...item }) => item),
        candidates: candidates.map(({ links, ...item }) => ({ ...ids.item(item), links })),
      },
      request: { instructions, limit },
    };
  },
  answerFor: ({ candidates }) =>
    formOf({ picks: listOf(formOf({ candidate: oneOf(idsOf(candidates).all), reason: text, score })) }),
  judge(answer, { candidates, limit }) {
    const ids = idsOf(candidates);
    const given = listIn(memberIn(answer, 'picks')).map((pick) => {
      const named =
        typeof pick === 'string' ? pick : textIn(memberIn(pick, 'candidate') ?? memberIn(pick, 'id'));
      const id = ids.real(named);
      return {
        named,
        id,
        score: scoreIn(memberIn(pick, 'score')) ?? 2 / 3,
        reason: textIn(memberIn(pick, 'reason')),
      };
    });
    const known = given.flatMap(({ named: _, id, ...pick }) => (id === undefined ? [] : [{ id, ...pick }]));
    const [stranger] = given;
    if (known.length === 0 && stranger) return `"${stranger.named}" is not the id of a candidate.`;
    const best = known.toSorted((a, b) => b.score - a.score);
    const seen = new Set<string>();
    return { picks: best.filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, limit) };
  },
  halved({ candidates, items, ...rest }) {
    const fewer = fitItems(items, sizeOf(items) / 2);
    const [only] = candidates;
    const input = { ...rest, items: fewer.items };
    if (!only) return undefined;
    if (candidates.length === 1) {
      const { item } = fitItem(only, sizeOf(only) / 2);
      return shortened(
        { ...input, candidates: [item] },
        { left_out: fewer.left_out + 1, of: items.length + 1 },
      );
    }
    const middle = Math.ceil(candidates.length / 2);
    return {
      inputs: [candidates.slice(0, middle), candidates.slice(middle)].map((half) => ({
        ...input,
        candidates: half,
      })),
      joined: (outputs) => ({ picks: bestPicks(outputs).slice(0, rest.limit) }),
      left_out: fewer.left_out,
      of: items.length + candidates.length,
    };
  },
});

/** The picks of several calls, best first. */
export function bestPicks(outputs: Output[]): Output['picks'] {
  return outputs.flatMap(({ picks }) => picks).toSorted((a, b) => b.score - a.score);
}
