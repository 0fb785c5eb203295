// Takes an artifact elsewhere: as a file, or by a link.
import type { Artifact, ExportArtifact } from '../../sdk/index.ts';
import { useAction } from '../action.ts';
import { ActionButton, ActionError } from '../parts/action.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import type { Session } from '../session.ts';

type Format = NonNullable<ExportArtifact['format']>;

const names: Readonly<Record<Format, string>> = {
  csv: 'CSV',
  jsonl: 'JSON lines',
  md: 'Markdown',
  json: 'JSON',
};
/** The first is what a link opens in. */
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
  const action = useAction();
  const { artifacts } = session.client;
  const save = async (format: Format) => {
    // A file of any size goes from the service to the disk, under the name that the service gives it.
    const { url } = await artifacts.link(id, { format, expires_in_seconds: DOWNLOAD_SECONDS });
    Object.assign(document.createElement('a'), { href: url, download: '' }).click();
  };
  const own = formats[kind] ?? ['json'];
  return (
    <>
      {own.map((format) => (
        <ActionButton key={format} action={action} act={() => save(format)}>
          Download {names[format]}
        </ActionButton>
      ))}
      <CopyButton text={async () => (await artifacts.link(id, { format: own[0] })).url}>Copy link</CopyButton>
      <ActionError action={action} />
    </>
  );
}
