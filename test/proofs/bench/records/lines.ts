// The records of the bench: the same at every run, and more of the same at every size.

const CITIES = 200;
const INDUSTRIES = ['finance', 'software', 'energy', 'retail', 'transport', 'health'];
const VOCABULARY = 5000;
/** What stays the same at every size, so that the same question has the same answer. */
export const QUERY = 'Which companies in City7 have a revenue over 990000?';

/** A generator of numbers from 0 to 1 that every run of the bench repeats. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/** A line of the file that is imported. */
interface Line {
  id: string;
  type: string;
  name: string;
  fields: Record<string, string | number>;
  external_uri: string;
}

/** The lines of a workspace of this size. */
export function* linesOf(size: number): Generator<Line> {
  const random = seeded(7);
  const word = () => `w${Math.floor(random() * random() * VOCABULARY).toString(36)}`;
  for (let n = 0; n < size; n += 1)
    yield {
      id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      type: n % 3 === 0 ? 'person' : 'company',
      name: `Name ${n} ${word()}`,
      fields: {
        city: `City${Math.floor(random() * CITIES)}`,
        industry: INDUSTRIES[Math.floor(random() * INDUSTRIES.length)] ?? '',
        // One in 200 is not a number, as in real data.
        revenue: random() < 0.005 ? 'unknown' : Math.floor(random() * 1_000_000),
        employees: Math.floor(random() * 10_000),
        text: Array.from({ length: 20 }, word).join(' '),
      },
      external_uri: `bench:${n}`,
    };
}

/** Whether a record belongs to the answer to QUERY. */
export const answersQuery = ({ type, fields }: Line) =>
  type === 'company' &&
  fields.city === 'City7' &&
  typeof fields.revenue === 'number' &&
  fields.revenue > 990_000;
