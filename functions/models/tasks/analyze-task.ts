// The task `analyze`: written findings over items.
import { formOf, text } from './answer-schema.ts';
import { memberIn, textIn } from './as-meant.ts';
import { fitItems, fitTexts, sizeOf } from './fit.ts';
import { defineTask, LINKS, type ModelItem, shortened } from './model-task.ts';
import { linkIds } from './short-ids.ts';

interface Input {
  instructions: string;
  focus: string;
  items: ModelItem[];
  /** The number of items of each type; `items` holds the first of them. */
  found: { type: string; count: number }[];
  context: string[];
  /** Findings over groups of items that are all items together; `items` is empty then. */
  findings?: string[];
  max_tokens: number;
}

interface Output {
  findings: string;
}

export const analyze = defineTask<Input, Output>({
  prompt: [
    'Write findings over the items as the request asks: what stands out, how groups and numbers compare, what follows. `found` counts all',
    'items, of which `items` are the first: when there are more, give no sum and say over how many of how many each number holds. Where',
    '`findings` are given, they are over groups which together are all items: join them to one text, and add up what can be added.',
    LINKS,
    'For example: {"findings":"Of 24 companies 9 are in Germany; [Acme](entity=r1) has the largest revenue, 80 million."}, or, where nothing',
    'fits, {"findings":"None of the 3 notes says anything of a deadline."}',
  ].join('\n'),
  shown({ instructions, focus, items, found, context, findings, max_tokens }) {
    const ids = linkIds(items, [...context, ...(findings ?? [])]);
    return {
      data: {
        found,
        context: context.map((one) => ids.shorten(one)),
        items: items.map((item) => ids.item(item)),
        ...(findings && { findings: findings.map((one) => ids.shorten(one)) }),
      },
      request: { instructions, focus, max_tokens },
    };
  },
  answerFor: () => formOf({ findings: text }),
  judge(answer, { items, context, findings = [] }) {
    const written = textIn(memberIn(answer, 'findings'));
    if (written === '') return 'There are no findings.';
    return { findings: linkIds(items, [...context, ...findings]).restore(written) };
  },
  halved({ items, context, ...rest }) {
    const kept = fitItems(items, sizeOf(items) / 2);
    const texts = fitTexts(context, sizeOf(context) / 2).texts;
    const findings = rest.findings && fitTexts(rest.findings, sizeOf(rest.findings) / 2).texts;
    return shortened(
      { ...rest, items: kept.items, context: texts, ...(findings && { findings }) },
      { left_out: kept.left_out, of: items.length },
    );
  },
});
