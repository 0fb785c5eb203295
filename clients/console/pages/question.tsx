// One question, by its own link: without a key, and with nothing else of its workspace.
import { useMemo } from 'preact/hooks';
import { JobView } from '../job/job-view.tsx';
import { clientOf } from '../session.ts';

interface Props {
  id: string;
  token: string;
}

export function QuestionPage({ id, token }: Props) {
  const client = useMemo(() => clientOf(token), [token]);
  return <JobView id={id} client={client} />;
}
