// Answers as data: what a run with an `output_schema` returns (rules.md: output).
import * as z from 'zod';
import { JsonObject, Uuid } from './json.ts';

/** Where a value comes from: see the texts of its fields. */
const BasisKind = z.enum(['record', 'group', 'count', 'model']).meta({ id: 'BasisKind' });

const BasisEntry = z
  .strictObject({
    path: z.string(),
    kind: BasisKind,
    entity_id: Uuid.optional(),
    field: z.string().optional(),
    step_index: z.number().int().nonnegative().optional(),
  })
  .meta({ id: 'BasisEntry' });
export type BasisEntry = z.infer<typeof BasisEntry>;

export const RunOutput = z
  .strictObject({ data: JsonObject, basis: z.array(BasisEntry) })
  .meta({ id: 'RunOutput' });
export type RunOutput = z.infer<typeof RunOutput>;
