// On a terminal: live steps, redrawn in position, correct at 80 and 40 columns, whatever the steps are called.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fitted, widthOf } from '../../clients/cli/output/terminal.ts';
import { lineDrawing } from '../../clients/cli/progress/lines.ts';
import { liveDrawing } from '../../clients/cli/progress/live-steps.ts';
import type { Progress } from '../../clients/cli/progress/view.ts';
import * as given from '../support/given.ts';
import * as when from '../support/when.ts';
import { onScreen } from './screen.ts';
import { envOf, folder } from './terminal.ts';

const WIDE = '日本語のとても長い見出しで幅が足りない 👩‍👩‍👧‍👦 für alle, die lange Titel mögen';
const items = Array.from({ length: 20 }, (_, i) => ({ type: 'company', name: `Company ${i}` }));

test.each([80, 40])(
  'at %i columns each step is one line, with a bar while it counts items, and appears once',
  async (columns) => {
    const home = await given.workspace();
    await given.entities(home.workspace_id, items);
    const steps = [
      { ...when.fetchCompanies, title: 'Companies' },
      {
        kind: 'transform',
        title: WIDE,
        instructions: 'city [[delay:600]]',
        params: { output_fields: ['city'] },
      },
      { kind: 'fetch', title: 'Last\u001b[5A' },
    ];
    writeFileSync(join(folder, 'steps.json'), JSON.stringify({ title: 'Live', steps }));
    const bars = new Set<string>();
    const stacked: string[][] = [];
    const screen = onScreen(['create', '--plan', join(folder, 'steps.json'), '--watch'], {
      columns,
      env: envOf(home),
      changed({ lines }) {
        const shown = lines();
        for (const line of shown) for (const [bar] of line.matchAll(/[█░]+ \d+\/20/g)) bars.add(bar);
        if (shown.filter((line) => /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/.test(line)).length > 1) stacked.push(shown);
      },
    });
    expect(await screen.ended).toBe(0);
    expect(stacked).toEqual([]);
    expect([...bars]).toContainEqual(expect.stringMatching(/\d\/20$/));
    const lines = screen.lines();
    const finished = lines.filter((line) => line.startsWith('✓'));
    expect(finished).toEqual([
      expect.stringMatching(/^✓ 1 Companies +20 items/),
      expect.stringMatching(/^✓ 2 日本語の.*20 items/),
      expect.stringMatching(/^✓ 3 Last +/),
    ]);
    for (const line of finished) expect(widthOf(line)).toBeLessThan(columns);
    expect(lines.filter((line) => /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏·]/.test(line))).toEqual([]);
    expect(screen.raw()).not.toContain('\u001b[5A\u001b');
  },
);

test('a plan longer than the screen keeps the moving part shorter than the screen', () => {
  const written: string[] = [];
  const output = { write: (text: string) => written.push(text), isTTY: true, columns: 40, rows: 8 };
  const drawing = liveDrawing(output, (_, text) => text);
  const steps = Array.from({ length: 50 }, (_, index) => ({
    index,
    ...({ kind: 'fetch', status: 'pending', attempt: 0 } as const),
    title: `Step ${index}`,
  }));
  drawing.show({ status: 'running', steps });
  drawing.end();
  expect(written[0]?.trimEnd().split('\n').length).toBeLessThan(8);
  expect(written[0]).toContain('and 45 more');
});

test('a terminal made narrower is cleared of every row that it broke a line into', () => {
  const written: string[] = [];
  const output = { write: (text: string) => written.push(text), isTTY: true, columns: 80, rows: 24 };
  const drawing = liveDrawing(output, (_, text) => text);
  drawing.show({
    status: 'running',
    steps: [{ index: 0, kind: 'fetch', title: 'x'.repeat(70), status: 'pending', attempt: 0 }],
  });
  output.columns = 40;
  drawing.end();
  expect(written.at(-1)).toBe('\r\u001b[2A\u001b[0J');
});

test('in a log there is at most one progress line in ten seconds, and no repeated one', () => {
  const written: string[] = [];
  let now = 0;
  const drawing = lineDrawing({ write: (text: string) => written.push(text) }, () => now);
  const ranking = { index: 0, kind: 'filter', title: 'Rank', status: 'running', attempt: 1 } as const;
  const after = (items_done: number): Progress => ({
    status: 'running',
    steps: [{ ...ranking, progress: { items_done, items_total: 500 } }],
  });
  for (let second = 0; second <= 60; second += 1) {
    now = second * 1000;
    drawing.show(after(second < 45 ? second : 45));
  }
  expect(written).toEqual(
    [10, 20, 30, 40, 45].map((done) => `step 1 of 1 running: Rank, ${done} of 500 items\n`),
  );
});

test('a text is fitted to columns, not to characters', () => {
  for (const text of ['', 'plain', WIDE, 'e\u0301e\u0301e\u0301', '👩‍👩‍👧‍👦👩‍👩‍👧‍👦'])
    for (const width of [1, 5, 12, 80])
      expect(widthOf(fitted(text, width)), `${text} in ${width}`).toBe(width);
});
