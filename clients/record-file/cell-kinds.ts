// What the cells of a column are: numbers, booleans and dates only where every cell is one, else texts.

/** How every cell of a column is written. A column is a text if it is nothing else. */
export type Writing =
  | 'text'
  | 'boolean'
  | 'number'
  | 'number with a comma'
  | 'date'
  | 'date with dots'
  | 'day first'
  | 'month first';

/** What users read of it. */
export type Kind = 'text' | 'boolean' | 'number' | 'date' | 'json';

export const kindOf = (writing: Writing): Kind =>
  writing === 'text' || writing === 'boolean' ? writing : writing.startsWith('number') ? 'number' : 'date';

const POINT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]\d+)?$/;
const COMMA = /^-?(?:0|[1-9]\d*)(?:,\d+)?$/;
/** It may be a thousand as well: "1.234". */
const GROUP = { point: /^-?[1-9]\d{0,2}\.\d{3}$/, comma: /^-?[1-9]\d{0,2},\d{3}$/ };
const ISO = /^(\d{4})-(\d\d)-(\d\d)$/;
const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const DOTTED = /^(\d\d?)\.(\d\d?)\.(\d{4})$/;
const SLASHED = /^(\d\d?)\/(\d\d?)\/(\d{4})$/;

/** Whether a double keeps each digit. */
function isExact(digits: string): boolean {
  const significant = digits
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '');
  return significant.length <= 15 || String(Number(digits)) === digits;
}

/** How dates are written. */
type DateWriting = 'date' | 'date with dots' | 'day first' | 'month first';

/** The parts of a day as they are written; none where the cell is not written so. */
function dayIn(cell: string, writing: DateWriting): Partial<Record<'year' | 'month' | 'day', string>> {
  if (writing === 'date') {
    const [, year, month, day] = ISO.exec(cell) ?? RFC_3339.exec(cell) ?? [];
    return { year, month, day };
  }
  const [, first, second, year] = (writing === 'date with dots' ? DOTTED : SLASHED).exec(cell) ?? [];
  const [day, month] = writing === 'month first' ? [second, first] : [first, second];
  return { year, month, day };
}

function isDay({ year, month, day }: ReturnType<typeof dayIn>): boolean {
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/**
 * Collects the cells of a column. A decimal comma, and the order of a date with slashes, show in all of them: where
 * none tells, the column is a text. Of a file with semicolons, a lone group of three digits after a point is unsure.
 */
export class CellKinds {
  readonly #isSemicolons: boolean;
  readonly #open = new Set<Writing>([
    ...(['boolean', 'number', 'number with a comma', 'date', 'date with dots'] as const),
    ...(['day first', 'month first'] as const),
  ]);
  #count = 0;
  /** Cells that show which sign the decimals have: they cannot be thousands. */
  #sure = { point: false, comma: false };
  #grouped = { point: false, comma: false };

  constructor(isSemicolons: boolean) {
    this.#isSemicolons = isSemicolons;
  }

  /** Takes a cell that is not empty. */
  add(given: string): void {
    this.#count += 1;
    if (this.#open.size === 0) return;
    const cell = given.trim();
    for (const writing of this.#open) if (!this.#fits(writing, cell)) this.#open.delete(writing);
    for (const sign of ['point', 'comma'] as const) {
      const isGroup = GROUP[sign].test(cell);
      this.#grouped[sign] ||= isGroup;
      this.#sure[sign] ||= !isGroup && (sign === 'point' ? POINT : COMMA).test(cell) && /[.,]/.test(cell);
    }
  }

  #fits(writing: Writing, cell: string): boolean {
    switch (writing) {
      case 'boolean':
        return /^(?:true|false)$/i.test(cell);
      case 'number':
        return POINT.test(cell) && isExact(cell);
      case 'number with a comma':
        return COMMA.test(cell) && isExact(cell.replace(',', '.'));
      case 'text':
        return true;
      default:
        return isDay(dayIn(cell, writing));
    }
  }

  /** How the column is written. */
  get writing(): Writing {
    const left = [...this.#open];
    if (this.#count === 0) return 'text';
    if (left.includes('number')) {
      const isUnsure = this.#isSemicolons && this.#grouped.point && !this.#sure.point;
      return isUnsure ? 'text' : 'number';
    }
    if (left.includes('number with a comma')) {
      const isUnsure = !this.#isSemicolons && this.#grouped.comma && !this.#sure.comma;
      return isUnsure ? 'text' : 'number with a comma';
    }
    // No day above 12 tells which comes first.
    if (left.includes('day first') && left.includes('month first')) return 'text';
    return left[0] ?? 'text';
  }
}

/** The value of a cell in a column that is written so. */
export function cellValue(given: string, writing: Writing): string | number | boolean {
  const cell = given.trim();
  switch (writing) {
    case 'boolean':
      return cell.toLowerCase() === 'true';
    case 'number':
      return Number(cell);
    case 'number with a comma':
      return Number(cell.replace(',', '.'));
    case 'date':
      return cell;
    case 'text':
      return given;
    default: {
      const { year = '', month = '', day = '' } = dayIn(cell, writing);
      return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    }
  }
}
