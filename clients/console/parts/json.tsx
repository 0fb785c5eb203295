// A value as JSON, with wrapped lines.

export function Json({ value }: { value: unknown }) {
  return <pre class="breaks">{JSON.stringify(value, undefined, 2)}</pre>;
}
