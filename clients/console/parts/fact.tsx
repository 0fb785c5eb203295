// One of a list of facts: its name and its value.
import type { ComponentChildren } from 'preact';

interface Props {
  name: string;
  title?: string;
  children: ComponentChildren;
}

/** In a list of two columns. */
export function Fact({ name, title, children }: Props) {
  return (
    <>
      <dt title={title}>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Where facts stand side by side. */
export function BoxedFact(props: Props) {
  return (
    <div>
      <Fact {...props} />
    </div>
  );
}
