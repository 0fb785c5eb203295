// POST /runs/{id}/resume
import { ResumeRun } from '#contract/runs.ts';
import { actorOf } from '#domain/access/actor.ts';
import { checkPlanSize } from '#domain/commands/check-create.ts';
import { resumeRun } from '#domain/commands/resume-run.ts';
import { envelopeOf } from '#domain/runs/run-envelope.ts';
import { api } from '#edge/api.ts';
import { byKeyWithCosts } from '#edge/bearer-key.ts';
import { check } from '#edge/check-schema.ts';
import { reply } from '#edge/replies.ts';

export const route = api('ResumeRun', byKeyWithCosts, async (call) => {
  const { request, caller, params, json } = call;
  const value = request.body.length === 0 ? {} : await json();
  if (typeof value === 'object' && value !== null && 'plan' in value) checkPlanSize(value.plan);
  const { run, input } = await resumeRun(caller, params.id, check(ResumeRun, value), actorOf(call));
  return reply(202, await envelopeOf({ run, input }));
});
