// Converts a field's text to its value and back. Invalid text is sent unchanged: validation reports it.
import { isObject } from './draft.ts';

/** A way to write values of a type. */
export interface Writing {
  read(text: string): unknown;
  write(value: unknown): string;
}

const asText = (value: unknown) => {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

export const plainText: Writing = { read: (text) => (text === '' ? undefined : text), write: asText };

export const numberText: Writing = {
  read(text) {
    const trimmed = text.trim();
    if (trimmed === '') return undefined;
    return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
  },
  write: asText,
};

const list = (separator: string, joined: string, one = plainText): Writing => ({
  read(text) {
    const entries = text.split(separator).map((entry) => entry.trim());
    const written = entries.filter((entry) => entry !== '');
    return written.length > 0 ? written.map(one.read) : undefined;
  },
  write: (value) => (Array.isArray(value) ? value.map(one.write).join(joined) : asText(value)),
});
/** Texts separated by commas. */
export const wordList = list(',', ', ');
/** Texts, one per line. */
export const lineList = list('\n', '\n');

/** A field to group by: `city`, `created_at by month`, `total by 20`. */
const groupText: Writing = {
  read(text) {
    const [, field, period, width] =
      /^(.+?) by (?:(day|week|month|quarter|year)|(\d+(?:\.\d+)?))$/.exec(text) ?? [];
    return field === undefined ? text : { field, by: period ?? { width: Number(width) } };
  },
  write(value) {
    if (!isObject(value)) return asText(value);
    const { field, by } = value;
    return `${asText(field)} by ${asText(isObject(by) ? by.width : by)}`;
  },
};
/** Such fields, separated by commas. */
export const groupList = list(',', ', ', groupText);

/** Pairs, one per line: `key: value`. */
export const pairList: Writing = {
  read(text) {
    const pairs = text.split('\n').flatMap((line) => {
      const [key = '', ...value] = line.split(':');
      return line.trim() === '' ? [] : [[key.trim(), value.join(':').trim()]];
    });
    return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
  },
  write: (value) =>
    isObject(value)
      ? Object.entries(value)
          .map(([key, one]) => `${key}: ${asText(one)}`)
          .join('\n')
      : asText(value),
};

/** A JSON object; text that is none stays text. */
export const jsonText: Writing = {
  read(text) {
    if (text.trim() === '') return undefined;
    try {
      const value: unknown = JSON.parse(text);
      // An empty object would be no member at all.
      return isObject(value) && Object.keys(value).length > 0 ? value : text;
    } catch {
      return text;
    }
  },
  write: (value) => (isObject(value) ? JSON.stringify(value, undefined, 2) : asText(value)),
};

/** Scalars of a condition: numbers, true and false are recognized; anything else is text. Quotes force text. */
export const scalarText: Writing = {
  read(text) {
    const trimmed = text.trim();
    if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
    if (/^-?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
    return /^".*"$/s.test(trimmed) ? trimmed.slice(1, -1) : text;
  },
  write(value) {
    if (typeof value !== 'string') return asText(value);
    return typeof scalarText.read(value) === 'string' && scalarText.read(value) === value
      ? value
      : `"${value}"`;
  },
};

/** Scalars separated by commas. */
export const scalarList: Writing = {
  read: (text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map((entry) => scalarText.read(entry)),
  write: (value) => (Array.isArray(value) ? value.map(scalarText.write).join(', ') : asText(value)),
};
