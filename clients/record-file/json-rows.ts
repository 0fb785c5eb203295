// The objects of a JSON array, or of a file with an object on each line (NDJSON).
import { JSONParser } from '@streamparser/json';
import { FileProblem } from './file-problem.ts';

export type JsonMap = Readonly<Record<string, unknown>>;

/** An object and where it stands: its line in NDJSON, its number in an array. */
export interface JsonRow {
  line: number;
  value: JsonMap;
}

/** The objects of lines. Throws FileProblem for a line that is no object. */
export async function* ndjsonRows(text: AsyncIterable<string>): AsyncGenerator<JsonRow> {
  let line = 1;
  let rest = '';
  for await (const part of text) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    for (const one of lines) yield* rowOf(one, line++);
  }
  yield* rowOf(rest, line);
}

function* rowOf(text: string, line: number): Generator<JsonRow> {
  if (text.trim() === '') return;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FileProblem('this is no JSON.', { line, column: columnOf(error, text) });
  }
  yield { line, value: objectOf(value, { line }) };
}

/** The column that an engine's message names, else that of the first sign. */
function columnOf(error: unknown, text: string): number {
  const [, position] = /position (\d+)/.exec(String(error)) ?? [];
  return position === undefined ? text.length - text.trimStart().length + 1 : Number(position) + 1;
}

/** The objects of an array. Throws FileProblem where it breaks off, and for an element that is no object. */
export async function* arrayRows(text: () => AsyncIterable<string>): AsyncGenerator<JsonRow> {
  const array = arrayParser();
  let number = 0;
  let parts = 0;
  for await (const part of text()) {
    const isBroken = !array.takes(part);
    for (const value of array.values.splice(0)) {
      number += 1;
      yield { line: number, value: objectOf(value, { number }) };
    }
    if (isBroken) throw new FileProblem('this is no JSON.', await positionIn(text(), parts));
    parts += 1;
  }
  if (!array.isClosed()) throw new FileProblem('the array is not closed.', await positionIn(text(), parts));
}

/** Finds the elements of an array in the parts of its text. */
function arrayParser() {
  const values: unknown[] = [];
  let isBroken = false;
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  parser.onValue = ({ value }) => void values.push(value);
  parser.onError = () => {
    isBroken = true;
  };
  return {
    values,
    /** Whether the text is an array so far. */
    takes(part: string): boolean {
      parser.write(part);
      return !isBroken;
    },
    isClosed: () => parser.isEnded,
  };
}

/** The position of the first sign that does not fit; it is in the part with this number, or at the end. */
async function positionIn(text: AsyncIterable<string>, broken: number): Promise<Position> {
  const array = arrayParser();
  const position = { line: 1, column: 1 };
  let parts = 0;
  for await (const part of text) {
    if (parts < broken) {
      array.takes(part);
      advance(position, part);
    } else
      for (const sign of part) {
        if (!array.takes(sign)) return position;
        advance(position, sign);
      }
    parts += 1;
  }
  return position;
}

interface Position {
  line: number;
  column: number;
}

function advance(position: Position, text: string): void {
  const lines = text.split('\n');
  position.column = (lines.length > 1 ? 1 : position.column) + (lines.at(-1) ?? '').length;
  position.line += lines.length - 1;
}

function objectOf(value: unknown, { line, number }: { line?: number; number?: number }): JsonMap {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  const what = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
  if (line !== undefined) throw new FileProblem(`this is ${what}, not an object.`, { line });
  throw new FileProblem(`element ${number} of the array is ${what}, not an object.`);
}
