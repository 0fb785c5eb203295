// Every vocabulary of the proof: the invented ones of long standing, the real files, the kinds that were once wrong, and
// those that were put aside while the reader was made.
import type { DataSet, Question } from '#domain/evaluation/truth.ts';
import type { Asked, Kind, Vocabulary } from './asked.ts';
import { clinic } from './clinic.ts';
import { estate } from './estate.ts';
import { fleet } from './fleet.ts';
import { heldOut } from './held-out/index.ts';
import { library } from './library.ts';
import { airportsAsked } from './open/airports.ts';
import { booksAsked } from './open/books.ts';
import { businessAsked } from './open/business.ts';
import { countriesAsked } from './open/countries.ts';
import { elementsAsked } from './open/elements.ts';
import { filmsAsked } from './open/films.ts';
import { villageAsked } from './open/village.ts';
import { shop } from './shop.ts';

const real = [countriesAsked, elementsAsked, airportsAsked, filmsAsked, booksAsked];
const kinds = [businessAsked, villageAsked];

/** The data sets that a model is tried on too. */
export const sets = [shop, clinic, fleet, estate, library];

/** Those data sets as vocabularies. */
export const seeded = (seed: number): Vocabulary[] =>
  sets.map((make) => {
    const { name, rows, questions }: DataSet = make(seed);
    return { name, rows, asked: questions.map(askedAs) };
  });

export const written: readonly Vocabulary[] = [...real, ...kinds, ...heldOut];

const kindOf = { records: 'list', number: 'measure', groups: 'group', values: 'values' } as const;

/** The kind of such a question follows from its answer. */
function askedAs([text, truth]: Question): Asked {
  if (truth === null) return ['unknown', text, ''];
  const kind: Kind = truth.kind === 'records' && truth.inOrder ? 'top' : kindOf[truth.kind];
  return [kind, text, truth];
}
