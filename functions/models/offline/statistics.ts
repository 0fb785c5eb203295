// What a set of items has in common: groups by category, numbers by field.
import type { ModelItem } from '#models/tasks/task.ts';
import { fieldsOf, humanName, keyWords, shown } from './items.ts';
import { akin } from './relevance.ts';

export interface Grouping {
  key: string;
  /** Largest group first. */
  groups: { value: string; items: ModelItem[] }[];
  missing: number;
}
export interface Measure {
  key: string;
  count: number;
  sum: number;
  mean: number;
  min: { value: number; item: ModelItem };
  max: { value: number; item: ModelItem };
}

function isAsked(key: string, words: string[]): boolean {
  return keyWords(key).some((part) => words.some((word) => akin(part, word)));
}

/** Field names in order of first appearance. */
function keysOf(items: ModelItem[]): string[] {
  return [...new Set(items.flatMap((item) => fieldsOf(item).map(({ key }) => key)))];
}

/** Fields that group the items, those that match the words first, then the most informative; at most `limit`. */
export function groupings(items: ModelItem[], words: string[], limit: number): Grouping[] {
  const found = keysOf(items).flatMap((key) => {
    const grouping = groupBy(items, key);
    const sizes = grouping.groups.map((group) => group.items.length);
    const covered = items.length - grouping.missing;
    const asked = isAsked(key, words);
    if (sizes.length < 2 && !asked) return [];
    if (!asked && (sizes.length >= Math.max(3, covered) || covered <= items.length / 2)) return [];
    const entropy = sizes.reduce((sum, n) => sum - (n / covered) * Math.log2(n / covered), 0);
    const balance = entropy / Math.log2(Math.max(2, sizes.length));
    const worth = (asked ? 10 : 0) + (balance * covered) / items.length - sizes.length / (covered * 2 + 1);
    return covered > 0 ? [{ grouping, worth }] : [];
  });
  return found
    .sort((a, b) => b.worth - a.worth)
    .slice(0, limit)
    .map(({ grouping }) => grouping);
}

/** The items by the value of one field; an item with a list of values is in several groups. */
function groupBy(items: ModelItem[], key: string): Grouping {
  const groups = new Map<string, ModelItem[]>();
  let missing = 0;
  for (const item of items) {
    const value = fieldsOf(item).find((field) => field.key === key)?.value;
    const values = categories(value);
    if (values.length === 0) missing++;
    for (const category of values) groups.set(category, [...(groups.get(category) ?? []), item]);
  }
  const sorted = [...groups].map(([value, members]) => ({ value, items: members }));
  return { key, groups: sorted.sort((a, b) => b.items.length - a.items.length), missing };
}

function categories(value: unknown): string[] {
  if (typeof value === 'boolean') return [shown(value)];
  if (typeof value === 'string')
    return value.length <= 60 && !/^\S+@\S+$|^https?:/.test(value) ? [shown(value)] : [];
  return Array.isArray(value) ? [...new Set(value.flatMap(categories))] : [];
}

/** Numeric fields with their extremes, those that match the words first. Years and the like have no sum. */
export function measures(items: ModelItem[], words: string[], limit: number): Measure[] {
  const found = keysOf(items).flatMap((key) => measure(items, key) ?? []);
  const asked = (key: string) => (isAsked(key, words) ? 1 : 0);
  return found.sort((a, b) => asked(b.key) - asked(a.key) || b.count - a.count).slice(0, limit);
}

/** One numeric field over the items that have it; undefined when none has. */
function measure(items: ModelItem[], key: string): Measure | undefined {
  const values = items.flatMap((item) => {
    const value = fieldsOf(item).find((field) => field.key === key)?.value;
    return typeof value === 'number' ? [{ value, item }] : [];
  });
  const sorted = values.toSorted((a, b) => a.value - b.value);
  const [min] = sorted;
  const max = sorted.at(-1);
  if (!min || !max) return undefined;
  const sum = values.reduce((total, { value }) => total + value, 0);
  return { key, count: values.length, sum, mean: sum / values.length, min, max };
}

/** Numbers that are names rather than amounts. */
const NAMING = /\b(?:id|zip|postal|postcode|code|phone|isbn|number)\b/;
const MOMENTS_FROM = 1e11;

/** A number for people: at most two decimals, separators from 10,000 on, a time as its day. */
export function rounded(value: number, name = ''): string {
  if (NAMING.test(name)) return String(value);
  if (
    value > MOMENTS_FROM &&
    value < 1e13 &&
    Number.isInteger(value) &&
    /\b(?:at|on|date|time|until|since|inspection)\b|ed$/.test(name)
  )
    return new Date(value).toISOString().slice(0, 10);
  const [whole = '', part] = String(Math.round(value * 100) / 100).split('.');
  if (whole.includes('e') || part?.includes('e')) return String(value);
  const spaced = Math.abs(value) < 10_000 ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return part === undefined ? spaced : `${spaced}.${part}`;
}

/** Whether a numeric field holds years, which have no mean. */
export const isYears = ({ key, min, max }: Measure): boolean =>
  min.value >= 1000 &&
  max.value <= 2200 &&
  /year|founded|built|established|since|born|launched|published|opened/.test(humanName(key));
