// Times parsers over repetitive inputs, in the processor's time of this thread, so that other work on the machine does
// not count.
import { knownTexts } from './known.ts';
import { type Parser, parsers } from './parsers.ts';
import { repetitive } from './repetitive.ts';

/** What one parser took at most, and the input that took it. */
export interface Worst {
  parser: string;
  ms: number;
  /** The index of a repetitive text, or the text itself if it is known to have been slow. */
  input: number | string;
}

/** Slow calls are timed again before they count, so that a first run of cold code does not. */
const TIMES = 3;
const SHOWN_CHARACTERS = 80;

/**
 * The slowest call of each parser over the inputs `first` to `end`, and with `known` over those that were slow once; a
 * call over `suspect_ms` counts as its fastest repetition.
 */
export async function timeParsers({
  seed,
  first,
  end,
  known,
  suspect_ms,
}: {
  seed: number;
  first: number;
  end: number;
  known: boolean;
  suspect_ms: number;
}): Promise<Worst[]> {
  const worst: Worst[] = [];
  for (const parser of parsers) {
    const most: Worst = { parser: parser.name, ms: 0, input: first };
    const time = async (input: number | string, text: string) => {
      let ms = await timed(parser, text);
      for (let again = 1; again < TIMES && ms > Math.max(suspect_ms, most.ms); again++)
        ms = Math.min(ms, await timed(parser, text));
      if (ms > most.ms) Object.assign(most, { ms, input });
    };
    for (let index = first; index < end; index++)
      await time(index, repetitive(seed, index, parser.max_characters));
    for (const text of known ? knownTexts(parser.name, parser.max_characters) : [])
      await time(text.slice(0, SHOWN_CHARACTERS), text);
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
