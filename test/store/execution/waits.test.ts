// rules.md: waits. A run that waits for a model, slice by slice.
import { beforeEach, expect, test, vi } from 'vitest';
import type { PlanStep } from '#contract/plans.ts';
import type { Caller } from '#domain/access/authenticate.ts';
import { cancelRun } from '#domain/commands/cancel-run.ts';
import { executeSlice, type SliceSetting } from '#domain/execution/execute-slice.ts';
import { parkRun } from '#domain/execution/park-run.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { sweepRuns } from '#domain/recovery/sweep-runs.ts';
import { endMaintenance, startMaintenance } from '#domain/workspaces/maintenance.ts';
import { ModelError } from '#models/model.ts';
import { ModelsAway } from '#models/models-away.ts';
import * as runs from '#store/runs/runs.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { replaceStateMachine, sentTokens } from '../../support/fakes.ts';
import { modelOf } from '../../support/model-of.ts';
import { actor, caller, givenRun, logOf } from '../../support/runs.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import { useTable } from '../../support/table.ts';
