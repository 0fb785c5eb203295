// Takes an artifact elsewhere: as a file, or by a link.
import type { Artifact, ExportArtifact } from '../../sdk/index.ts';
import { useAction } from '../action.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import type { Session } from '../session.ts';

type Format = NonNullable<ExportArtifact['format']>;

const names: Readonly<Record<Format, string>> = {
  csv: 'CSV',
  jsonl: 'JSON lines',
  md: 'Markdown',
  json: 'JSON',
};
const formats: Readonly<Record<string, readonly Format[]>> = {
  table: ['csv', 'jsonl', 'md'],
  text: ['md'],
  entity_card: ['md'],
};

/** A download begins at once. */
const DOWNLOAD_SECONDS = 60;

interface Props {
  session: Session;
  artifact: Pick<Artifact, 'id' | 'kind'>;
}

export function SaveActions({ session, artifact: { id, kind } }: Props) {
  const { start, error, pending } = useAction();
  const { artifacts } = session.client;
  const save = async (format: Format) => {
    // A file of any size goes from the service to the disk, under the name that the service gives it.
    const { url } = await artifacts.link(id, { format, expires_in_seconds: DOWNLOAD_SECONDS });
    Object.assign(document.createElement('a'), { href: url, download: '' }).click();
  };
  return (
    <>
      {(formats[kind] ?? ['json']).map((format) => (
        <button key={format} type="button" disabled={pending.value} onClick={() => start(() => save(format))}>
          Download {names[format]}
        </button>
      ))}
      <CopyButton text={async () => (await artifacts.link(id)).url}>Copy link</CopyButton>
      {error.value !== undefined && <ErrorNote error={error.value} />}
    </>
  );
}
