// Questions that were put aside while the reader was made: they judged it before it was mended for any of them.
import type { Vocabulary } from '../asked.ts';
import { airportsHeldOut } from './airports.ts';
import { booksHeldOut } from './books.ts';
import { businessHeldOut } from './business.ts';
import { countriesHeldOut } from './countries.ts';
import { elementsHeldOut } from './elements.ts';
import { filmsHeldOut } from './films.ts';
import { freight } from './freight.ts';
import { greenhouse } from './greenhouse.ts';
import { harbour } from './harbour.ts';
import { museum } from './museum.ts';
import { trials } from './trials.ts';
import { villageHeldOut } from './village.ts';

export const heldOut: readonly Vocabulary[] = [
  ...[countriesHeldOut, elementsHeldOut, airportsHeldOut, filmsHeldOut, booksHeldOut],
  ...[businessHeldOut, villageHeldOut],
  ...[greenhouse, freight, harbour, museum, trials],
];
