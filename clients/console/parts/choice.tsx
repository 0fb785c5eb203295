// A choice of one value among several.
import type { SelectHTMLAttributes } from 'preact';

interface Props extends Omit<SelectHTMLAttributes, 'value' | 'onChange' | 'role' | 'size' | 'multiple'> {
  /** Each value with its text. */
  options: Iterable<readonly [value: string, text: string]>;
  value: string | undefined;
  onChoose: (value: string) => void;
  /** The text of the empty choice, if there is one. */
  all?: string;
}

export function Choice({ options, value = '', onChoose, all, ...select }: Props) {
  const shown = new Map([...(all === undefined ? [] : [['', all] as const]), ...options]);
  return (
    <select {...select} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {[...shown].map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
      {!shown.has(value) && <option value={value}>{value}</option>}
    </select>
  );
}
