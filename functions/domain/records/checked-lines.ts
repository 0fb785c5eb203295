// The lines of imports, checked as far as possible without the table (rules.md: admin 4, admin 5).
import * as z from 'zod';
import { EntityLine, type EntityRef, RelationshipLine } from '#contract/entities.ts';
import { isJsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import { cut } from '#platform/cut.ts';
import { inexactLiteral } from '#platform/exact-numbers.ts';
import { type JsonPath, walkJson } from '#platform/walk-json.ts';
import { fitsKey, KEY_MAX_BYTES, whyNotStorable } from './storable-fields.ts';

/** Any storable value; checked first, so that no schema recurses into unlimited depth. */
export const Storable = z.unknown().superRefine((value, context) => refuse(value, [], context));

function refuse(value: unknown, path: string[], context: z.RefinementCtx): void {
  const reason = whyNotStorable(value);
  if (reason) context.addIssue({ code: 'custom', path, message: reason });
}

/** A line whose JSON in this member is storable, and so is the rest of it. */
function storable(own: 'fields' | 'metadata') {
  return z.unknown().superRefine((line, context) => {
    const { [own]: content, ...rest } = isJsonObject(line) ? line : {};
    refuse(content, [own], context);
    refuse(rest, [], context);
  });
}

const tooLong = `longer than ${KEY_MAX_BYTES} bytes`;

/** A line of an import of records, checked as far as possible without the table. */
export const ImportEntity = storable('fields').pipe(
  EntityLine.refine((line) => fitsKey(line.external_uri), {
    path: ['external_uri'],
    message: tooLong,
  }).refine((line) => fitsKey(line.external_id), { path: ['external_id'], message: tooLong }),
);

/** A line of a `relationship import` file, checked as far as possible without the table. */
export const ImportRelationship = storable('metadata').pipe(
  RelationshipLine.refine((line) => refFits(line.from), { path: ['from'], message: tooLong }).refine(
    (line) => refFits(line.to),
    { path: ['to'], message: tooLong },
  ),
);

function refFits(ref: EntityRef): boolean {
  return 'id' in ref || fitsKey('external_uri' in ref ? ref.external_uri : ref.external_id);
}

/** What is wrong with a line, and where in it. */
export interface WrongLine {
  path: string;
  message: string;
}

/** The line of a request for records, or the first thing that is wrong with it. */
export function checkLine(sent: unknown): EntityLine | WrongLine {
  const inexact = walkJson(sent, (value, path) =>
    inexactLiteral(value) === undefined ? undefined : [...path],
  );
  if (inexact) return wrong(inexact, 'The number has more digits than a number keeps: send it as a string');
  const checked = ImportEntity.safeParse(sent);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  if (issue?.code === 'unrecognized_keys')
    return wrong(issue.keys.slice(0, 1), `Unknown field ${cut(issue.keys[0] ?? '', SHOWN_MAX)}`);
  const { path = [], message = '' } = issue ?? {};
  return wrong(path, message.endsWith('received undefined') ? 'This field is missing' : message);
}

const SHOWN_MAX = limits.error_value_max_characters;

const wrong = (path: PropertyKey[] | JsonPath, message: string): WrongLine => ({
  path: cut(path.map(String).join('.').toWellFormed(), limits.issue_path_max_characters),
  message: message.toWellFormed(),
});
