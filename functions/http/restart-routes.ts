// Starts runs from what earlier ones have saved, without a model.
import { buffered } from '#edge/buffered.ts';
import { router } from '#edge/router.ts';
import { route as RerunRun } from '../api/rerun-run.ts';
import { route as ResumeRun } from '../api/resume-run.ts';

export const handler = buffered(router<'Restart'>({ ResumeRun, RerunRun }));
