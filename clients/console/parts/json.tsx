// A value as JSON, in lines that break.

export function Json({ value }: { value: unknown }) {
  return <pre class="breaks">{JSON.stringify(value, undefined, 2)}</pre>;
}
