// Times parsers over repetitive inputs, in the processor's time of this thread, so that other work on the machine does
// not count.
import { type Parser, parsers } from './parsers.ts';
import { repetitive } from './repetitive.ts';

/** What one parser took at most, and the input that took it. */
export interface Worst {
  parser: string;
  ms: number;
  index: number;
}

/** Slow calls are timed again before they count, so that a first run of cold code does not. */
const TIMES = 3;

/**
 * The slowest call of each parser over the inputs `first` to `end`; a call over `suspect_ms` counts as its fastest
 * repetition.
 */
export async function timeParsers({
  seed,
  first,
  end,
  suspect_ms,
}: {
  seed: number;
  first: number;
  end: number;
  suspect_ms: number;
}): Promise<Worst[]> {
  const worst: Worst[] = [];
  for (const parser of parsers) {
    const most: Worst = { parser: parser.name, ms: 0, index: first };
    for (let index = first; index < end; index++) {
      const text = repetitive(seed, index, parser.max_characters);
      let ms = await timed(parser, text);
      for (let again = 1; again < TIMES && ms > Math.max(suspect_ms, most.ms); again++)
        ms = Math.min(ms, await timed(parser, text));
      if (ms > most.ms) Object.assign(most, { ms, index });
    }
    worst.push({ ...most, ms: Math.round(most.ms * 10) / 10 });
  }
  return worst;
}

async function timed({ parse }: Parser, text: string): Promise<number> {
  const begun = process.threadCpuUsage();
  await parse(text);
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}
