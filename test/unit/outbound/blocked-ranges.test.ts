// Every spelling of an address in a blocked range is refused: 20,000 of them, generated from each range.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkUrl } from '#outbound/foreign-url.ts';

const blockedV4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** First 16-bit groups of a blocked v6 range, and how many bits of them are fixed. */
const blockedV6: readonly [readonly number[], number][] = [
  [[0, 0, 0, 0, 0, 0], 96],
  [[0, 0, 0, 0, 0, 0xffff], 96],
  [[0, 0, 0, 0, 0xffff, 0], 96],
  [[0x64, 0xff9b, 0, 0, 0, 0], 96],
  [[0x64, 0xff9b, 1], 48],
  [[0x100, 0, 0, 0], 64],
  [[0x2001, 0], 32],
  [[0x2001, 0], 23],
  [[0x2001, 0xdb8], 32],
  [[0x2002], 16],
  [[0x3fff, 0], 20],
  [[0x5f00], 16],
  [[0xfc00], 7],
  [[0xfe80], 10],
  [[0xfec0], 10],
  [[0xff00], 8],
];

const word = fc.nat(0xffff_ffff);

const addressV4 = fc.tuple(fc.constantFrom(...blockedV4), word).map(([[base, bits], random]) => {
  const start = base.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
  return start + (random % 2 ** (32 - bits));
});

const addressV6 = fc
  .tuple(fc.constantFrom(...blockedV6), fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }))
  .map(([[fixed, bits], random]) =>
    random.map((group, index) => {
      const free = Math.min(16, Math.max(0, (index + 1) * 16 - bits));
      return ((fixed[index] ?? 0) & ~(2 ** free - 1)) | (group & (2 ** free - 1));
    }),
  );

const inRadix = {
  decimal: (part: number) => part.toString(),
  octal: (part: number) => `0${part.toString(8)}`,
  octalPadded: (part: number) => `000${part.toString(8)}`,
  hex: (part: number) => `0x${part.toString(16)}`,
  hexUpper: (part: number) => `0X${part.toString(16).toUpperCase()}`,
};
const radix = fc.constantFrom(...Object.values(inRadix));

/** One to four parts: the last one covers all remaining octets. */
function parts(address: number, count: number): number[] {
  const octets = [24, 16, 8].slice(0, count - 1).map((shift) => Math.floor(address / 2 ** shift) % 256);
  return [...octets, address % 2 ** (32 - 8 * (count - 1))];
}

const disguise = {
  none: (char: string) => char,
  percent: (char: string) => `%${char.charCodeAt(0).toString(16)}`,
  fullWidth: (char: string) => String.fromCharCode(char.charCodeAt(0) + 0xfee0),
  enclosed: (char: string) => (/[1-9]/.test(char) ? String.fromCharCode(0x2460 + Number(char) - 1) : char),
  softHyphen: (char: string) => `${char}\u00ad`,
};
const dots = fc.constantFrom('.', '。', '．', '｡', '%2e', '%E3%80%82');

const spelledV4 = fc
  .record({
    address: addressV4,
    count: fc.integer({ min: 1, max: 4 }),
    radixes: fc.array(radix, { minLength: 4, maxLength: 4 }),
    disguises: fc.array(fc.constantFrom(...Object.values(disguise)), { minLength: 1, maxLength: 20 }),
    dot: dots,
    rootDot: fc.boolean(),
  })
  .map(({ address, count, radixes, disguises, dot, rootDot }) => {
    const numbers = parts(address, count).map((part, index) => (radixes[index] ?? inRadix.decimal)(part));
    const spell = (text: string) =>
      Array.from(text, (char, index) => (disguises[index % disguises.length] ?? disguise.none)(char)).join(
        '',
      );
    return numbers.map(spell).join(dot) + (rootDot ? '.' : '');
  });

const spellV6 = {
  plain: (groups: number[]) => groups.map((group) => group.toString(16)).join(':'),
  padded: (groups: number[]) => groups.map((group) => group.toString(16).padStart(4, '0')).join(':'),
  upper: (groups: number[]) => groups.map((group) => group.toString(16).toUpperCase()).join(':'),
  short: (groups: number[]) =>
    groups
      .map((group) => group.toString(16))
      .join(':')
      .replace(/(^|:)0(:0)+(:|$)/, '::'),
  dotted: (groups: number[]) => {
    const [high = 0, low = 0] = groups.slice(6);
    const tail = [high >> 8, high & 255, low >> 8, low & 255].join('.');
    return `${spellV6.plain(groups.slice(0, 6))}:${tail}`;
  },
};

const spelledV6 = fc
  .tuple(addressV6, fc.constantFrom(...Object.values(spellV6)))
  .map(([groups, spell]) => `[${spell(groups)}]`);

const ending = fc.constantFrom('', '/', ':8443/cb', '/?a=@b', '#x');

test('20,000 spellings of blocked addresses are refused as private', () => {
  const property = fc.property(fc.oneof(spelledV4, spelledV6), ending, (host, rest) => {
    expect(checkUrl(`https://${host}${rest}`)).toEqual({ ok: false, reason: 'private_address' });
  });
  fc.assert(property, { numRuns: 20_000 });
});
