// Compares what two engines answer to one operation, and what it left of the items.
import type { JsonObject } from '../../../../lib/local/json-values.ts';
import type { Accepted, Compared } from './accepted.ts';
import { answerTo } from './ask-both.ts';
import { type Asked, isWrite, namedItems } from './asked.ts';
import type { Answer, ComparedEngine } from './engines.ts';
import { normalForm, stable } from './normal-form.ts';
import { partsOf, type Table } from './tables.ts';

/** Two engines and what may differ between them. */
export interface Judged {
  reference: ComparedEngine;
  candidate: ComparedEngine;
  accepted: readonly Accepted[];
  /** Called with what was accepted. */
  noted?(reason: string): void;
}

/** A difference that is on no list. */
export interface Difference extends Compared {
  /** What was read to find it: the operation itself, or an item that it left. */
  found: Asked;
}

const sameAnswers = (one: Answer, other: Answer): boolean =>
  stable({ refusal: { ...one.refusal }, body: one.body }) ===
  stable({ refusal: { ...other.refusal }, body: other.body });

/** Whether it is the same, or a difference that is accepted. */
function agrees({ accepted, noted }: Judged, compared: Compared): boolean {
  if (sameAnswers(compared.reference, compared.candidate)) return true;
  const by = accepted.find((one) => {
    const expected = one.instead?.(compared);
    return (expected && sameAnswers(expected, compared.candidate)) || one.leavesOpen?.(compared);
  });
  if (by) noted?.(by.reason);
  return by !== undefined;
}

/**
 * Asks both the same; the differences that are on no list, the reference's answer, and whether both did it or both
 * refused it.
 */
export async function askBoth(
  judged: Judged,
  asked: Asked,
  tables: readonly Table[],
  run: string,
): Promise<{ difference?: Difference; answer: Answer; areAlike: boolean }> {
  const compared = await comparedOn(judged, asked, tables, run);
  const areAlike = (compared.reference.refusal === undefined) === (compared.candidate.refusal === undefined);
  const differences = agrees(judged, compared) ? [] : [{ ...compared, found: asked }];
  for (const { table, key } of isWrite(asked) ? itemsOf(asked, tables) : []) {
    const found: Asked = { operation: 'GetItem', input: { TableName: table, Key: key } };
    const left = { ...(await comparedOn(judged, found, tables, run)), asked };
    if (sameAnswers(left.reference, left.candidate)) continue;
    // Where only one engine refuses the write, that is the difference.
    if (areAlike && !agrees(judged, left)) differences.push({ ...left, found });
    // A reported difference must not be found again by each later operation.
    const remove = { operation: 'DeleteItem', input: found.input };
    await Promise.all([answerTo(judged.reference, remove, run), answerTo(judged.candidate, remove, run)]);
  }
  const [difference] = differences;
  return { ...(difference && { difference }), answer: compared.reference, areAlike };
}

async function comparedOn(
  { reference, candidate }: Judged,
  asked: Asked,
  tables: readonly Table[],
  run: string,
): Promise<Compared> {
  const [expected, actual] = await Promise.all([
    answerTo(reference, asked, run),
    answerTo(candidate, asked, run),
  ]);
  return {
    asked,
    reference: normalForm(asked, expected, tables, true),
    candidate: normalForm(asked, actual, tables, false),
  };
}

/** The items that a request names, by their whole keys, each once. */
function itemsOf(asked: Asked, tables: readonly Table[]): { table: string; key: JsonObject }[] {
  const items = new Map<string, { table: string; key: JsonObject }>();
  for (const { table, holder } of namedItems(asked)) {
    const parts = partsOf(
      tables.find(({ name }) => name === table)?.key ?? { hash: { name: '', type: 'S' } },
    );
    const key = Object.fromEntries(parts.map(({ name }) => [name, holder[name]]));
    if (Object.values(key).every((part) => part !== undefined))
      items.set(stable({ table, key }), { table, key });
  }
  return [...items.values()];
}
