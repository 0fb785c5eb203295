// Record links in the texts of a run: `[label](kind=id)` in messages, text artifacts and cells of tables.

export interface RecordLink {
  kind: 'entity' | 'note' | 'artifact' | 'entity_type' | 'entity_list';
  id: string;
  /** As plain text. */
  label: string;
}

const LINK =
  /\[((?:\\.|[^\\[\]])*)\]\((entity|note|artifact|entity_type|entity_list)=([^\s()[\]<>\\&`]{1,200})\)/g;

/** The text in parts: the Markdown between links, unchanged, and the links. */
export function parseRecordLinks(text: string): Array<string | RecordLink> {
  const parts: Array<string | RecordLink> = [];
  let end = 0;
  for (const link of text.matchAll(LINK)) {
    const [all, label = '', kind, id = ''] = link;
    if (link.index > end) parts.push(text.slice(end, link.index));
    // The pattern names no other kinds.
    parts.push({ kind: kind as RecordLink['kind'], id, label: withoutEscapes(label) });
    end = link.index + all.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** A text of a record, such as a label, without Markdown escapes. */
function withoutEscapes(text: string): string {
  return text.replace(
    /\\([\\`[\]()~])|&(?:(lt)|amp);/g,
    (_, sign?: string, lt?: string) => sign ?? (lt ? '<' : '&'),
  );
}
