// Makes external text safe to show: removes whatever could control a terminal.
import { stripVTControlCharacters } from 'node:util';

/** Control characters, and those that reorder or hide the text around them. */
const STEERING = /[\p{Cc}\u200e\u200f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const API_KEY = /\bsk_[A-Za-z0-9_-]{6,}/g;

/** Characters that join or vary others: terminals disagree on the resulting width. */
const JOINING = /[\u200b-\u200d]|\p{Variation_Selector}|\p{Emoji_Modifier}/gu;

/** One line without control characters; breaks and tabs become spaces. Every terminal shows it at the same width. */
export function plainLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\t\n\r\u2028\u2029]+/g, ' ')
    .replace(STEERING, '')
    .replace(JOINING, '')
    .trim();
}

/** Lines without control characters, except breaks and tabs. */
export function plainText(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => stripVTControlCharacters(line).replace(STEERING, (sign) => (sign === '\t' ? sign : '')))
    .join('\n');
}

/** One line for each text. */
export function plainLines(texts: readonly string[]): string {
  return texts.map((text) => `${plainLine(text)}\n`).join('');
}

/** JSON in one line without terminal control characters: JSON.stringify escapes only those of ASCII. */
export function jsonLine(value: unknown): string {
  return escaped(JSON.stringify(value));
}

/** The same in indented lines, for people. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2).split('\n').map(escaped).join('\n')}\n`;
}

function escaped(json: string): string {
  return json.replace(STEERING, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Masks API keys anywhere in a message. */
export function withoutKeys(text: string): string {
  return text.replace(API_KEY, 'sk_…');
}
