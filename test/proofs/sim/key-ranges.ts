// Partitions of DynamoDB that divide by heat: each has a range of the sort keys of one item collection, and refuses what
// goes beyond its limits.
//
// AWS documents that a partition near its limits is split, also within an item collection, and that this does not help
// where every write has the greatest key (Database Blog, "Scaling DynamoDB: How partitions, hot keys, and split for heat
// impact performance", parts 2 and 3). Its measurements show no split in the first ten minutes.
// Assumed: a split comes after ten minutes near the limit, halves the load of the last of them, and takes no time; every
// collection begins with a partition of its own; capacity that was not used in a second is lost.
import { READS_A_SECOND, WRITES_A_SECOND } from './partition-limits.ts';

const LIMITS = { writes: WRITES_A_SECOND, reads: READS_A_SECOND };
type Kind = keyof typeof LIMITS;

/** What a call takes of one item. */
export interface Taken {
  pk: string;
  sk: string;
  kind: Kind;
  units: number;
}

const MINUTE_MS = 60_000;
/** A partition is hot in a minute in which it gave this share of what it can. */
const HOT_SHARE = 0.8;
const HOT_MINUTES = 10;
/** One in this many keys is remembered, to find the middle of the heat. */
const SAMPLED = 7;

interface Range {
  pk: string;
  /** The first key; the range ends where the next one begins. */
  from: string;
  second: number;
  given: Record<Kind, number>;
  most: Record<Kind, number>;
  refused: number;
  minute: number;
  ofMinute: Record<Kind, number>;
  hotMinutes: number;
  keys: string[];
}

/** A partition: the most that it gave in a second, and how many items it refused. */
export interface Hottest {
  partition: string;
  writes_a_second: number;
  reads_a_second: number;
  refused_items: number;
}

export interface KeyRanges {
  /** For each item, whether its partition refuses it now. Nothing is taken. */
  refuses(takes: readonly Taken[]): boolean[];
  /** Takes it, whatever is left. */
  take(takes: readonly Taken[]): void;
  /** The collections with several partitions, and the partition that refused the most items. */
  report(): { partitions: Record<string, number>; hottest: Hottest };
}

const none = (): Record<Kind, number> => ({ writes: 0, reads: 0 });

function newRange(pk: string, from: string, nowMs: number): Range {
  return {
    ...{ pk, from, second: 0, given: none(), most: none(), refused: 0 },
    ...{ minute: Math.floor(nowMs / MINUTE_MS), ofMinute: none(), hotMinutes: 0, keys: [] },
  };
}

/** Partitions of a table in the time of `Date.now`. */
export function keyRanges(): KeyRanges {
  const collections = new Map<string, Range[]>();
  let taken = 0;

  function rangeOf({ pk, sk }: Taken): Range {
    const ranges = collections.get(pk) ?? [newRange(pk, '', Date.now())];
    collections.set(pk, ranges);
    const range = ranges.findLast(({ from }) => from <= sk);
    if (!range) throw new Error('the first range begins before every key');
    return upToNow(range, ranges);
  }

  function upToNow(range: Range, ranges: Range[]): Range {
    const second = Math.floor(Date.now() / 1000);
    if (range.second !== second) Object.assign(range, { second, given: none() });
    const minute = Math.floor(Date.now() / MINUTE_MS);
    if (range.minute === minute) return range;
    const wasHot = minute === range.minute + 1 && isHot(range);
    const hotMinutes = wasHot ? range.hotMinutes + 1 : 0;
    const middle = range.keys.toSorted()[Math.floor(range.keys.length / 2)];
    Object.assign(range, { minute, ofMinute: none(), hotMinutes, keys: [] });
    if (hotMinutes === HOT_MINUTES && middle !== undefined && middle > range.from) {
      range.hotMinutes = 0;
      ranges.splice(ranges.indexOf(range) + 1, 0, newRange(range.pk, middle, Date.now()));
    }
    return range;
  }

  return {
    refuses(takes) {
      const ranges = takes.map(rangeOf);
      const asked = new Map<Range, Record<Kind, number>>();
      for (const [i, { kind, units }] of takes.entries()) {
        const range = ranges[i];
        if (!range) continue;
        const sum = asked.get(range) ?? none();
        sum[kind] += units;
        asked.set(range, sum);
      }
      const full = [...asked].filter(([range, sum]) => isBeyond(range, sum)).map(([range]) => range);
      for (const range of full) range.refused += 1;
      return ranges.map((range) => full.includes(range));
    },
    take(takes) {
      for (const one of takes) {
        const range = rangeOf(one);
        range.given[one.kind] += one.units;
        range.ofMinute[one.kind] += one.units;
        range.most[one.kind] = Math.max(range.most[one.kind], range.given[one.kind]);
        taken += 1;
        if (taken % SAMPLED === 0) range.keys.push(one.sk);
      }
    },
    report() {
      const [hottest] = [...collections.values()]
        .flat()
        .toSorted((a, b) => b.refused - a.refused || sumOf(b) - sumOf(a));
      if (!hottest) throw new Error('the table was not used');
      const { pk, from, most, refused } = hottest;
      return {
        partitions: Object.fromEntries(
          [...collections]
            .filter(([, ranges]) => ranges.length > 1)
            .map(([pk, ranges]) => [nameOf(pk), ranges.length]),
        ),
        hottest: {
          partition: `${nameOf(pk)} from ${from.slice(0, 4) || 'the first'}`,
          writes_a_second: Math.round(most.writes),
          reads_a_second: Math.round(most.reads),
          refused_items: refused,
        },
      };
    },
  };
}

const isBeyond = ({ given }: Range, sum: Record<Kind, number>): boolean =>
  (sum.writes > 0 && given.writes + sum.writes > LIMITS.writes) ||
  (sum.reads > 0 && given.reads + sum.reads > LIMITS.reads);

const isHot = ({ ofMinute }: Range): boolean =>
  ofMinute.writes > LIMITS.writes * 60 * HOT_SHARE || ofMinute.reads > LIMITS.reads * 60 * HOT_SHARE;

const sumOf = ({ most }: Range): number => most.writes + most.reads;

/** The collection without its workspace. */
const nameOf = (pk: string): string => pk.replace(/^WS#[^#]*#?/, '') || 'workspace';
