// The parts that a row of the list is made of.
import { ends } from './checkers/ends.ts';
import { jobs } from './checkers/jobs.ts';
import { ledger } from './checkers/ledger.ts';
import { linearizable } from './checkers/linearizable.ts';
import { nemeses } from './nemeses.ts';
import { cancels } from './workloads/cancels.ts';
import { keys } from './workloads/keys.ts';
import { requests } from './workloads/requests.ts';
import { runs } from './workloads/runs.ts';

export const parts = {
  workloads: { cancels, keys, requests, runs },
  nemeses,
  /** Histories of one service, in which a job has one result. */
  seen: [jobs, linearizable],
  /** What every run leaves: one end, its slot, its credits, one result of each job, and such histories. */
  whole: [ends, ledger, jobs, linearizable],
};
