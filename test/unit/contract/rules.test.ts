// The rules page: every citation in code and tests names a rule of functions/contract/rules.md.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { filesBy } from '../../support/files.ts';

/** The numbers of the rules by topic. */
function rulesOf(page: string): Map<string, number[]> {
  const topics = page.split(/^## /m).slice(1);
  return new Map(
    topics.map((topic) => [
      topic.slice(0, topic.indexOf('\n')),
      [...topic.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number)),
    ]),
  );
}

/**
 * The rules that a text cites: `rules.md: cancel 2, stream` gives `cancel 2` and `stream`. A citation may continue
 * after a line break.
 */
function citationsIn(text: string): string[] {
  const lines = text.replace(/\n\s*(\*|\/\/) /g, ' ');
  return [...lines.matchAll(/rules\.md: ([a-z]+(?: \d+)?(?:, [a-z]+(?: \d+)?)*)/g)].flatMap(([, list = '']) =>
    list.split(', '),
  );
}

const rules = rulesOf(readFileSync('functions/contract/rules.md', 'utf8'));
const files = filesBy(['functions/**/*.ts', 'lib/**/*.ts', 'bin/**/*.ts', 'test/**/*.ts'])
  .filter((file) => !file.endsWith('contract/rules.test.ts'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

describe('the rules page', () => {
  test('numbers the rules of each topic from 1 without a gap', () => {
    for (const [topic, numbers] of rules) {
      expect(numbers, topic).toEqual(numbers.map((_, position) => position + 1));
      expect(numbers.length, topic).toBeGreaterThan(0);
    }
  });

  test('has every rule that code and tests cite', () => {
    const dead = files.flatMap(({ file, text }) =>
      citationsIn(text)
        .filter((citation) => {
          const [topic = '', number] = citation.split(' ');
          return !(number ? rules.get(topic)?.includes(Number(number)) : rules.has(topic));
        })
        .map((citation) => `${file}: ${citation}`),
    );
    expect(dead).toEqual([]);
  });

  test('is the only text that code and tests cite', () => {
    const elsewhere = /\b[Cc]ontract,? (?:§ ?)?\d|\bSpec: |\bDesign: |\bthe (?:spec|design|brief|issue)\b/;
    expect(files.filter(({ text }) => elsewhere.test(text)).map(({ file }) => file)).toEqual([]);
  });

  test('would notice a dead citation', () => {
    expect(citationsIn('/** Ends. (rules.md: cancel 2, stream) */')).toEqual(['cancel 2', 'stream']);
    expect(citationsIn(' * (rules.md:\n * cancel 2)')).toEqual(['cancel 2']);
    expect(rulesOf('# x\n\n## cancel\n\n1. a\n2. b\n').get('cancel')).toEqual([1, 2]);
  });
});
