// A table whose rows lead to pages.
import type { ComponentChildren } from 'preact';

interface Props {
  caption: string;
  heads: readonly string[];
  /** How many of the last columns are numbers. */
  numbers?: number;
  children: ComponentChildren;
}

export function RowsTable({ caption, heads, numbers = 0, children }: Props) {
  return (
    <table class="runs rows">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {heads.map((head, at) => (
            <th key={head} scope="col" class={at >= heads.length - numbers ? 'number' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
