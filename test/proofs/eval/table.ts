// The scores of a model as a table for people.
import type { SetScore } from '#domain/evaluation/scores.ts';

const columns: readonly (keyof SetScore)[] = [
  ...(['set', 'answers', 'right', 'honest', 'wrong', 'unusable'] as const),
  ...(['calls', 'repairs', 'input_tokens', 'output_tokens', 'seconds', 'cost_usd'] as const),
];

/** A row for each set, its columns aligned. */
export function tableOf(scores: readonly SetScore[]): string {
  const rows = [
    columns.map(String),
    ...scores.map((score) => columns.map((column) => String(score[column]))),
  ];
  const widths = columns.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    )
    .join('\n');
}
