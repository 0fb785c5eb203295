// The writes that save the output of a step: artifacts, notes, the answer as data and the checkpoint.
import * as z from 'zod';
import type { Artifact, ArtifactSummary, EntityLink } from '#contract/artifacts.ts';
import type { EventBody, Warning } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import { cut } from '#platform/cut.ts';
import { newTimeOrderedId } from '#platform/ids.ts';
import { afterWords } from '#steps/closing-message.ts';
import type { ArtifactDraft, StepOutput } from '#steps/step.ts';
import { artifactWrite } from '#store/runs/artifacts.ts';
import { checkpointWrite } from '#store/runs/checkpoints.ts';
import { noteWrite } from '#store/runs/notes.ts';
import { outputWrite } from '#store/runs/outputs.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import type { Write } from '#store/table/table.ts';

export interface SavedOutput {
  artifacts: ArtifactSummary[];
  note_ids: string[];
  message: string | undefined;
  warnings: Warning[];
  events: EventBody[];
  effects: Write[];
}

/**
 * Prepares the writes of a finished step at `position`. Saves large bodies to the bucket, where they are orphans until
 * the commit.
 */
export async function saveOutput(
  run: RunRecord,
  position: number,
  stepIndex: number,
  { output: data, ...output }: StepOutput,
): Promise<SavedOutput> {
  const now = Date.now();
  const drafts = output.artifacts ?? [];
  const artifacts = drafts.map((draft) => toArtifact(draft, run.id, now));
  const notes = (output.notes ?? []).map((draft) => ({
    id: newTimeOrderedId(now),
    object: 'note' as const,
    ...draft,
    content: cut(draft.content, limits.note_max_characters),
    run_id: run.id,
    workspace_id: run.workspace_id,
    created_at: now,
  }));
  // No step reads the output of the last one, only who asks for its items.
  const isReadAgain = position < run.steps.length - 1 || output.items !== undefined;
  const effects = await Promise.all([
    ...(isReadAgain ? [checkpointWrite(run, position, output, output.items?.length)] : []),
    ...artifacts.map((artifact, at) => artifactWrite(run, artifact, rowIdsIn(drafts[at]))),
    ...notes.map((note) => noteWrite(run, note)),
    ...(data ? [outputWrite(run.workspace_id, run.id, data)] : []),
  ]);
  const summaries = artifacts.map(summaryOf);
  return {
    artifacts: summaries,
    note_ids: notes.map((note) => note.id),
    ...boundedMessage(messageOf(output, run), stepIndex),
    events: summaries.map(({ id, ...summary }) => ({
      event_type: 'artifact.created',
      data: { artifact_id: id, ...summary, step_index: stepIndex },
    })),
    effects,
  };
}

/** The message of the step, after the words of the query that no step uses (rules.md: query 5). */
function messageOf({ message }: StepOutput, { warnings }: RunRecord): string | undefined {
  const partly = warnings.filter(({ code }) => code === 'query_partly_understood');
  const words = partly.flatMap(({ details }) => z.array(z.string()).parse(details?.words));
  return message === undefined ? undefined : afterWords(message, words);
}

/** The message within its maximum length, and the warning if it was cut. */
function boundedMessage(
  message: string | undefined,
  step_index: number,
): Pick<SavedOutput, 'message' | 'warnings'> {
  if (message === undefined) return { message, warnings: [] };
  const shortened = cut(message, limits.message_max_characters);
  if (shortened === message) return { message, warnings: [] };
  const details = { received: message.length, kept: shortened.length };
  const text = 'The message was longer than a run keeps; its end was cut off.';
  return {
    message: shortened,
    warnings: [{ code: 'results_truncated', message: text, step_index, details }],
  };
}

const rowIdsIn = (draft: ArtifactDraft | undefined) => (draft?.kind === 'table' ? draft.row_ids : undefined);

function toArtifact(draft: ArtifactDraft, runId: string, now: number): Artifact {
  const common = {
    id: newTimeOrderedId(now),
    object: 'artifact' as const,
    run_id: runId,
    created_at: now,
    title: cut(draft.title, limits.artifact_title_max_characters),
  };
  switch (draft.kind) {
    case 'table':
      return {
        ...common,
        kind: 'table',
        row_count: draft.rows.length,
        columns: draft.columns,
        rows: draft.rows,
        entity_refs: [],
      };
    case 'text':
      return {
        ...common,
        kind: 'text',
        content: draft.content,
        entity_refs: draft.subject_id ? [subject(draft.subject_id, 'dossier_subject', null)] : [],
      };
    case 'entity_card':
      return {
        ...common,
        kind: 'entity_card',
        content: draft.content,
        entity_refs: [subject(draft.content.entity.id, 'entity_card_subject', 'content.entity')],
      };
  }
}

/** The link of an artifact to the record it is about (rules.md: artifacts 2). */
function subject(
  entityId: string,
  source_detail: EntityLink['source_detail'],
  content_path: string | null,
): EntityLink {
  return {
    entity_id: entityId,
    role: 'subject',
    is_primary: true,
    source: 'extractor',
    source_detail,
    content_path,
  };
}

function summaryOf(artifact: Artifact): ArtifactSummary {
  const { id, kind, title } = artifact;
  return artifact.kind === 'table' ? { id, kind, title, row_count: artifact.row_count } : { id, kind, title };
}
