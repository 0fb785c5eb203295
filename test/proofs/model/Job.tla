---------------------------------- MODULE Job ----------------------------------
(*
One fetch of a run that asks a worker: its jobs, the slices that tell them and take what came, the execution that is
parked meanwhile, and the worker's messages. Every action is one read, one commit or one call, so that a process may
die between any two of them.

What stands for what:
- A job has the number of its attempt, counted on over the resumes of the run. A worker has it from the first time it
  is told, and may answer at once, late, more than once, or never.
- A message is a request that reads the job and its run, and commits on the version that it has read. A number would
  tell apart states that behave alike, so a reader has a flag instead: `fresh` until the next commit of the run.
- A slice commits under its lease: it reads the run again when that has changed. Its job's write is on condition.
- Time is abstract: a heartbeat or a deadline may be missed at any moment, and is missed in the end where the worker is
  dead. Messages are judged by the clock of their commit, a moment after the code's.
- `due`: the sweep looks soon. Otherwise it looks when the time of the job is up.
- Names of executions, owners of leases and the pauses of a run are in the model of runs.
- Faults are finite: a slice, a request or a worker dies, a commit gets no reply, an execution is gone.

`Without` names one protection that is taken out; with "nothing" the model is the code.
*)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS Attempts, MaxTasks, MaxFaults, MaxLates, MaxRepeats, MaxResumes, Without

VARIABLES run, jobs, tasks, execution, requests, workers, faults, lates, repeats, history
vars == <<run, jobs, tasks, execution, requests, workers, faults, lates, repeats, history>>

None == 0
Tasks == 1..MaxTasks
Requests == 1..2
(* One more than there should be. *)
Numbers == 1..(Attempts * (MaxResumes + 1) + 1)
(* Prints a value when it comes for the first time. Always true. *)
FirstSeen(register, what, value) ==
  IF value \in TLCGet(register) THEN TRUE
  ELSE PrintT(<<what, value>>) /\ TLCSet(register, TLCGet(register) \cup {value})
Has(protection) == Without # protection

Absent == [status |-> "absent", told |-> FALSE, late |-> "no", resume |-> 0]
Free == [pc |-> "free", job |-> None, status |-> "absent", told |-> FALSE, late |-> "no", result |-> "none",
         resume |-> 0]
Resting == [pc |-> "rest", job |-> None, what |-> "none", fresh |-> FALSE, token |-> FALSE, found |-> None]

Init ==
  /\ run = [status |-> "running", finished |-> FALSE, owner |-> 0, waiting |-> None, token |-> FALSE, due |-> TRUE,
            resumes |-> 0]
  /\ jobs = [n \in Numbers |-> Absent]
  /\ tasks = [i \in Tasks |-> Free]
  /\ execution = [at |-> "execute", task |-> 0]
  /\ requests = [c \in Requests |-> Resting]
  /\ workers = [n \in Numbers |-> "none"]
  /\ faults = 0 /\ lates = 0 /\ repeats = 0
  /\ history = [used |-> [n \in Numbers |-> 0], old |-> FALSE, twice |-> FALSE]
  /\ TLCSet(1, {})

Fault == faults < MaxFaults /\ faults' = faults + 1
Fine == UNCHANGED faults

--------------------------------------------------------------------------------
(* Commits *)

(* No request has the latest version any more. *)
Stale(all) == [c \in Requests |-> [all[c] EXCEPT !.fresh = FALSE]]
AllStale == requests' = Stale(requests)

First(r) == IF Has("resume in the id") THEN r.resumes * Attempts + 1 ELSE 1
Last(r) == First(r) + Attempts - 1
Status(n, status) == [jobs EXCEPT ![n].status = status]
Opened(all, n) == [all EXCEPT ![n] = [Absent EXCEPT !.status = "open", !.resume = run.resumes]]

Ended(r, status) ==
  [r EXCEPT !.status = status, !.finished = TRUE, !.owner = 0, !.waiting = None, !.token = FALSE, !.due = FALSE]
(* The end of a run closes its open job. *)
Closing(status) ==
  IF run.waiting = None \/ ~Has("closed with the run") THEN jobs ELSE Status(run.waiting, status)

(* A job that goes on as its next attempt, if it has one: the other job is made in the same commit. *)
MayRepeat(n) == n < Last(run) \/ (~Has("last attempt") /\ n + 1 \in Numbers)
WithNext(n, status) ==
  IF Has("next in the commit") THEN Opened(Status(n, status), n + 1) ELSE Status(n, status)

--------------------------------------------------------------------------------
(* The run, from outside *)

Woken == IF execution.at = "parked" THEN [execution EXCEPT !.at = "execute"] ELSE execution

(* A run that waits ends at once; another one ends with what its slice does. *)
Cancel ==
  /\ run.status = "running"
  /\ IF run.waiting # None
     THEN run' = Ended(run, "canceled") /\ jobs' = Closing("canceled") /\ execution' = Woken
     ELSE run' = [run EXCEPT !.status = "canceled"] /\ UNCHANGED <<jobs, execution>>
  /\ AllStale
  /\ UNCHANGED <<tasks, workers, faults, lates, repeats, history>>
(* The run's own deadline passes, or its tasks keep failing. *)
GiveUp ==
  /\ ~run.finished /\ lates < MaxLates /\ lates' = lates + 1
  /\ run' = Ended(run, IF run.status = "canceled" THEN "canceled" ELSE "failed")
  /\ jobs' = Closing("timed_out")
  /\ AllStale
  /\ UNCHANGED <<tasks, execution, workers, faults, repeats, history>>
Resume ==
  /\ run.status = "failed" /\ run.resumes < MaxResumes
  /\ run' = [run EXCEPT !.status = "running", !.finished = FALSE, !.due = TRUE, !.resumes = @ + 1]
  /\ execution' = [at |-> "execute", task |-> 0]
  /\ AllStale
  /\ UNCHANGED <<jobs, tasks, workers, faults, lates, repeats, history>>

IsTold == run.waiting # None /\ jobs[run.waiting].told
IsLate == run.waiting # None /\ jobs[run.waiting].late # "no"
Gone ==
  /\ execution.at # "over" /\ Fault
  /\ execution' = [at |-> "over", task |-> 0]
  /\ UNCHANGED <<run, jobs, tasks, requests, workers, lates, repeats, history>>
(* The token is in the run before the wait begins. An execution goes on whose run does not wait, or has another attempt to
   tell: its timer is for the wait that its slice has seen. *)
Park ==
  /\ execution.at = "parking"
  /\ IF ~run.finished /\ ~IsLate /\ IF run.waiting = None THEN ~Has("waits still")
                                       ELSE jobs[run.waiting].told \/ ~Has("for what was told")
     THEN /\ run' = [run EXCEPT !.token = TRUE, !.owner = 0, !.due = ~IsTold]
          /\ execution' = [execution EXCEPT !.at = "parked"] /\ AllStale
     ELSE /\ execution' = [execution EXCEPT !.at = "execute"] /\ UNCHANGED <<run, requests>>
  /\ UNCHANGED <<jobs, tasks, workers, faults, lates, repeats, history>>
Timer ==
  /\ execution.at = "parked" /\ IsLate
  /\ execution' = Woken
  /\ UNCHANGED <<run, jobs, tasks, requests, workers, faults, lates, repeats, history>>
Sweep ==
  /\ Has("sweep") /\ ~run.finished /\ (run.due \/ IsLate)
  /\ \/ execution.at = "parked" /\ run.token /\ execution' = Woken
     \/ execution.at = "over" /\ execution' = [at |-> "execute", task |-> 0]
  /\ UNCHANGED <<run, jobs, tasks, requests, workers, faults, lates, repeats, history>>

--------------------------------------------------------------------------------
(* Slices *)

Task(i, task) == tasks' = [tasks EXCEPT ![i] = task]
Only(i, task) == Task(i, task) /\ UNCHANGED <<run, jobs, requests>>
Reports(result) == [Free EXCEPT !.pc = "report", !.result = result]
Looks == [Free EXCEPT !.pc = "look"]
Parked == run.owner = 0 /\ ~IsLate /\ IsTold

NextFree ==
  IF \E i \in Tasks: tasks[i].pc = "free"
  THEN CHOOSE i \in Tasks: tasks[i].pc = "free" /\ \A k \in 1..i - 1: tasks[k].pc # "free"
  ELSE 0
Begin(i) ==
  /\ i = NextFree /\ execution.at = "execute"
  (* As a fault, also while the task before it lives. *)
  /\ IF execution.task = 0 THEN Fine ELSE Fault
  /\ Task(i, [Free EXCEPT !.pc = "begun", !.resume = run.resumes])
  /\ execution' = [execution EXCEPT !.task = i]
  /\ UNCHANGED <<run, jobs, requests, workers, lates, repeats, history>>
Acquire(i) ==
  /\ tasks[i].pc = "begun"
  (* A resume has another execution. *)
  /\ IF run.finished \/ tasks[i].resume # run.resumes THEN Only(i, Reports("end"))
     ELSE IF Parked THEN Only(i, Reports("park"))
     ELSE /\ run' = [run EXCEPT !.owner = i, !.due = TRUE]
          /\ Task(i, Looks) /\ AllStale /\ UNCHANGED jobs
  /\ UNCHANGED <<execution, workers, faults, lates, repeats, history>>

(* The job of the step: one that has completed, also before a resume; else the last one since then. *)
Completed == {n \in Numbers: jobs[n].status = "completed"}
Since == {n \in First(run)..Last(run): n \in Numbers /\ jobs[n].status # "absent"}
Current ==
  IF Completed # {} /\ Has("completed one taken") THEN CHOOSE n \in Completed: TRUE
  ELSE IF Since = {} THEN None
  ELSE CHOOSE n \in Since: \A m \in Since: m <= n
Look(i) ==
  /\ tasks[i].pc = "look"
  /\ Only(i, LET n == Current IN
       IF n = None THEN [Free EXCEPT !.pc = "ask"]
       ELSE [pc |-> "decide", job |-> n, status |-> jobs[n].status, told |-> jobs[n].told, late |-> jobs[n].late,
             result |-> "none", resume |-> 0])
  /\ UNCHANGED <<execution, workers, faults, lates, repeats, history>>

(* The job and the wait are one commit. Without a reply it is made again. *)
Ask(i) ==
  /\ tasks[i].pc \in {"ask", "ask again"}
  /\ LET n == IF tasks[i].pc = "ask" \/ Has("id follows") THEN First(run) ELSE First(run) + 1
         tells == [Free EXCEPT !.pc = "tell", !.job = n]
     IN
     IF run.owner # i THEN Only(i, Reports("end")) /\ Fine
     ELSE IF run.status = "canceled"
     THEN run' = Ended(run, "canceled") /\ Task(i, Reports("end")) /\ AllStale /\ Fine /\ UNCHANGED jobs
     ELSE IF jobs[n].status # "absent" THEN Only(i, Looks) /\ Fine
     ELSE /\ run' = [run EXCEPT !.waiting = n, !.due = Has("untold ones due")] /\ AllStale
          /\ \/ /\ jobs' = IF Has("job in the commit") THEN Opened(jobs, n) ELSE jobs
                /\ Task(i, IF Has("job in the commit") THEN tells ELSE [tells EXCEPT !.pc = "put"])
                /\ Fine
             \/ jobs' = Opened(jobs, n) /\ Task(i, [Free EXCEPT !.pc = "ask again"]) /\ Fault
  /\ UNCHANGED <<execution, workers, lates, repeats, history>>
(* Only where the job is not in the commit. *)
PutJob(i) ==
  /\ tasks[i].pc = "put"
  /\ jobs' = Opened(jobs, tasks[i].job) /\ Task(i, [tasks[i] EXCEPT !.pc = "tell"])
  /\ UNCHANGED <<run, requests, execution, workers, faults, lates, repeats, history>>

(* The worker has it, though the reply may be lost; it may be asked for a job that is over by now. *)
Tell(i) ==
  /\ tasks[i].pc = "tell"
  /\ workers' = [workers EXCEPT ![tasks[i].job] = IF @ = "none" THEN "has" ELSE @]
  /\ Only(i, [tasks[i] EXCEPT !.pc = "mark"])
  /\ UNCHANGED <<execution, faults, lates, repeats, history>>
Mark(i) ==
  /\ tasks[i].pc = "mark"
  /\ jobs' = [jobs EXCEPT ![tasks[i].job].told = @ \/ jobs[tasks[i].job].status = "open"]
  /\ Task(i, Reports("park"))
  /\ UNCHANGED <<run, requests, execution, workers, faults, lates, repeats, history>>
(* The worker refuses it: the step fails. *)
Refused(i) ==
  /\ tasks[i].pc = "tell" /\ workers[tasks[i].job] = "none"
  /\ Only(i, [tasks[i] EXCEPT !.pc = "decide", !.status = "open", !.told = TRUE, !.late = "refused"])
  /\ UNCHANGED <<execution, workers, faults, lates, repeats, history>>

Decide(i) ==
  /\ tasks[i].pc = "decide"
  /\ LET t == tasks[i]
         n == t.job
         is_as_read == jobs[n].status = t.status \/ ~Has("open only")
         ends(status, all) ==
           run' = Ended(run, status) /\ jobs' = all /\ Task(i, Reports("end")) /\ AllStale
         old == jobs[n].resume # run.resumes /\ t.status # "completed"
     IN
     IF run.owner # i THEN Only(i, Reports("end")) /\ UNCHANGED history
     ELSE IF run.status = "canceled" THEN ends("canceled", Closing("canceled")) /\ UNCHANGED history
     ELSE IF ~is_as_read THEN Only(i, Looks) /\ UNCHANGED history
     ELSE IF t.status = "completed" THEN ends("succeeded", jobs) /\ UNCHANGED history
     ELSE IF t.status # "open"
     THEN ends("failed", jobs) /\ history' = [history EXCEPT !.old = @ \/ old]
     ELSE IF ~t.told /\ Has("told again") THEN Only(i, [t EXCEPT !.pc = "tell"]) /\ UNCHANGED history
     ELSE IF t.late = "no" \/ ~Has("late ones end") THEN Only(i, Reports("park")) /\ UNCHANGED history
     ELSE IF t.late = "beat" /\ MayRepeat(n)
     THEN /\ run' = [run EXCEPT !.waiting = n + 1] /\ AllStale
          /\ jobs' = IF Has("replaced in the commit") THEN WithNext(n, "replaced") ELSE Opened(jobs, n + 1)
          /\ Task(i, [Free EXCEPT !.pc = "tell", !.job = n + 1]) /\ UNCHANGED history
     ELSE ends("failed", Status(n, IF t.late = "refused" THEN "failed" ELSE "timed_out")) /\ UNCHANGED history
  /\ UNCHANGED <<execution, workers, faults, lates, repeats>>

Report(i) ==
  /\ tasks[i].pc = "report"
  /\ Only(i, Free)
  /\ execution' = IF execution.task # i THEN execution
                  ELSE [at |-> IF tasks[i].result = "end" THEN "over" ELSE "parking", task |-> 0]
  /\ UNCHANGED <<workers, faults, lates, repeats, history>>
Crash(i) ==
  /\ tasks[i].pc # "free" /\ Fault
  /\ Only(i, Free)
  /\ execution' = IF execution.task # i THEN execution ELSE [at |-> "execute", task |-> 0]
  /\ UNCHANGED <<workers, lates, repeats, history>>

--------------------------------------------------------------------------------
(* Workers and their messages *)

Asks(c, request) == requests' = [requests EXCEPT ![c] = request]
IsFree(c) == requests[c].pc = "rest" /\ \A k \in 1..c - 1: requests[k].pc # "rest"
Sends(c, n) ==
  \E what \in {"complete", "fail", "retry"}: Asks(c, [Resting EXCEPT !.pc = "sent", !.job = n, !.what = what])
Answer(c, n) ==
  /\ IsFree(c) /\ workers[n] = "has" /\ Sends(c, n)
  /\ workers' = [workers EXCEPT ![n] = "answered"]
  /\ UNCHANGED <<run, jobs, tasks, execution, faults, lates, repeats, history>>
(* Another message: of a worker that has answered, or of one that was taken for dead. *)
AnswerAgain(c, n) ==
  /\ IsFree(c) /\ workers[n] \in {"answered", "dead"} /\ Sends(c, n)
  /\ repeats < MaxRepeats /\ repeats' = repeats + 1
  /\ UNCHANGED <<run, jobs, tasks, execution, workers, faults, lates, history>>
WorkerDies(n) ==
  /\ workers[n] = "has" /\ Fault
  /\ workers' = [workers EXCEPT ![n] = "dead"]
  /\ UNCHANGED <<run, jobs, tasks, execution, requests, lates, repeats, history>>
(* No heartbeat comes in time, or the job takes too long. *)
TimePasses(n) ==
  /\ jobs[n].status = "open" /\ jobs[n].late = "no"
  /\ IF workers[n] = "dead" THEN UNCHANGED lates ELSE lates < MaxLates /\ lates' = lates + 1
  /\ \E late \in {"beat", "deadline"}: jobs' = [jobs EXCEPT ![n].late = late]
  /\ UNCHANGED <<run, tasks, execution, requests, workers, faults, repeats, history>>
(* One that comes before the run has acted is taken; the slice may have decided by then. *)
Beat(n) ==
  /\ jobs[n].status = "open" /\ jobs[n].late = "beat" /\ workers[n] = "has"
  /\ jobs' = [jobs EXCEPT ![n].late = "no"]
  /\ UNCHANGED <<run, tasks, execution, requests, workers, faults, lates, repeats, history>>

IsOpen(n) ==
  jobs[n].status = "open" /\ (jobs[n].late # "deadline" \/ ~Has("deadline asked"))
Counted(n) == [history EXCEPT !.used[n] = IF @ < 2 THEN @ + 1 ELSE @]
(* A job that is over, or past its deadline, takes nothing. *)
Receive(c) ==
  /\ requests[c].pc = "sent"
  /\ LET n == requests[c].job IN
     IF ~IsOpen(n) /\ Has("open only")
     THEN /\ Asks(c, Resting)
          /\ history' = IF Has("first one holds") \/ jobs[n].status # "completed" THEN history ELSE Counted(n)
     ELSE /\ Asks(c, [requests[c] EXCEPT !.pc = "read", !.fresh = TRUE, !.found = IF Has("version") THEN None ELSE run])
          /\ UNCHANGED history
  /\ UNCHANGED <<run, jobs, tasks, execution, workers, faults, lates, repeats>>
CommitAnswer(c) ==
  /\ requests[c].pc = "read"
  /\ LET q == requests[c]
         n == q.job
         r == IF Has("version") THEN run ELSE q.found
         goes_on == q.what = "retry" /\ MayRepeat(n)
     IN
     IF (Has("version") /\ ~q.fresh) \/ (Has("open only") /\ ~IsOpen(n))
     THEN Asks(c, [q EXCEPT !.pc = "sent", !.fresh = FALSE, !.found = None]) /\ UNCHANGED <<run, jobs, history>>
     ELSE /\ run' = [r EXCEPT !.waiting = IF goes_on THEN n + 1 ELSE None, !.due = Has("due soon")]
          /\ jobs' = IF goes_on THEN WithNext(n, "failed")
                     ELSE Status(n, IF q.what = "complete" THEN "completed" ELSE "failed")
          /\ history' = [(IF Has("usage in the commit") THEN Counted(n) ELSE history) EXCEPT
                           !.twice = @ \/ (q.what = "complete" /\ Completed # {})]
          /\ requests' = [Stale(requests) EXCEPT
                           ![c] = [q EXCEPT !.pc = "wake", !.fresh = FALSE, !.token = r.token, !.found = None]]
  /\ UNCHANGED <<tasks, execution, workers, faults, lates, repeats>>
Wake(c) ==
  /\ requests[c].pc = "wake"
  /\ execution' = IF requests[c].token THEN Woken ELSE execution
  /\ history' = IF Has("usage in the commit") THEN history ELSE Counted(requests[c].job)
  /\ Asks(c, Resting)
  /\ UNCHANGED <<run, jobs, tasks, workers, faults, lates, repeats>>
(* Its worker gets no reply, and sends it again. *)
RequestDies(c) ==
  /\ requests[c].pc # "rest" /\ Fault
  /\ Asks(c, Resting)
  /\ workers' = [workers EXCEPT ![requests[c].job] = IF @ = "answered" THEN "has" ELSE @]
  /\ UNCHANGED <<run, jobs, tasks, execution, lates, repeats, history>>

--------------------------------------------------------------------------------

TaskActs(i) ==
  \/ Begin(i) /\ UNCHANGED faults
  \/ Ask(i) /\ UNCHANGED faults
  \/ Acquire(i) \/ Look(i)
  \/ PutJob(i) \/ Tell(i) \/ Mark(i) \/ Decide(i) \/ Report(i)
RequestActs(c) == Receive(c) \/ CommitAnswer(c) \/ Wake(c)
Next ==
  \/ Cancel \/ GiveUp \/ Resume \/ Gone \/ Park \/ Timer \/ Sweep
  \/ \E i \in Tasks: TaskActs(i) \/ Begin(i) \/ Ask(i) \/ Refused(i) \/ Crash(i)
  \/ \E c \in Requests: RequestActs(c) \/ RequestDies(c) \/ \E n \in Numbers: Answer(c, n) \/ AnswerAgain(c, n)
  \/ \E n \in Numbers: WorkerDies(n) \/ TimePasses(n) \/ Beat(n)
Fair ==
  /\ WF_vars(Park) /\ WF_vars(Timer) /\ WF_vars(Sweep)
  /\ \A i \in Tasks: WF_vars(TaskActs(i))
  /\ \A c \in Requests: WF_vars(RequestActs(c))
  /\ \A n \in Numbers: WF_vars(\E c \in Requests: Answer(c, n)) /\ WF_vars(workers[n] = "dead" /\ TimePasses(n))
Spec == Init /\ [][Next]_vars /\ Fair

--------------------------------------------------------------------------------
(* Promises: what always holds *)

Open == {n \in Numbers: jobs[n].status = "open"}
WaitsForTheOpenJob == Open = IF run.waiting = None THEN {} ELSE {run.waiting}
OneResult == ~history.twice
UsageCountsOnce == \A n \in Numbers: history.used[n] <= 1
(* What its worker told is counted with the end of the job. *)
EveryUsageCounts == \A n \in Numbers: jobs[n].status = "completed" => history.used[n] >= 1
AttemptsAreBounded ==
  \A r \in 0..MaxResumes: Cardinality({n \in Numbers: jobs[n].status # "absent" /\ jobs[n].resume = r}) <= Attempts
(* Without a crash no run waits for the sweep once its job is over, or before its next attempt is told. *)
AnswersWakeTheRun ==
  faults = 0 /\ ~run.finished /\ (\A c \in Requests: requests[c].pc = "rest") /\ execution.at = "parked" => IsTold
(* A resumed step does not fail by a job of before. *)
ResumesAskAgain == ~history.old

(* Promises: what no action does *)
OverIsOver ==
  [][\A n \in Numbers: jobs[n].status \notin {"absent", "open"} => jobs'[n].status = jobs[n].status]_vars
NoResultAfterTheEnd ==
  [][run.finished =>
       history'.used = history.used /\ \A n \in Numbers: jobs'[n].status = "completed" => jobs[n].status = "completed"]_vars
NoResultAfterItsTime ==
  [][\A n \in Numbers: jobs[n].late = "deadline" /\ jobs[n].status = "open" => jobs'[n].status # "completed"]_vars

(* Promises: what happens in the end *)
EveryRunEnds == (~run.finished) ~> run.finished

(* States that the checker has to find. *)
Reached == [
  a_job_is_told_twice |-> \E i \in Tasks: tasks[i].pc = "tell" /\ workers[tasks[i].job] # "none",
  a_worker_answers_before_its_job_is_marked |-> \E n \in Completed: ~jobs[n].told,
  a_job_is_told_after_its_end |-> \E i \in Tasks: tasks[i].pc = "tell" /\ jobs[tasks[i].job].status = "canceled",
  two_answers_meet |-> \A c \in Requests: requests[c].pc = "read" /\ requests[c].job = 1,
  a_replaced_worker_answers |-> \E c \in Requests: requests[c].pc = "sent" /\ jobs[requests[c].job].status = "replaced",
  an_answer_comes_after_the_end |-> run.finished /\ \E c \in Requests: requests[c].pc = "read",
  an_answer_meets_a_replacement |->
    \E c \in Requests, i \in Tasks: requests[c].pc = "read" /\ tasks[i].pc = "decide" /\ tasks[i].late = "beat",
  a_beat_comes_too_late |-> \E i \in Tasks: tasks[i].late = "beat" /\ tasks[i].pc = "decide" /\ jobs[tasks[i].job].late = "no",
  a_parked_run_waits_for_its_sweep |->
    execution.at = "parked" /\ run.due /\ ~run.finished /\ \A c \in Requests: requests[c].pc = "rest",
  an_execution_is_gone_while_its_job_is_open |-> execution.at = "over" /\ Open # {},
  an_execution_parks_after_the_answer |-> execution.at = "parking" /\ Completed # {},
  a_completed_job_meets_the_end |-> run.status = "failed" /\ Completed # {},
  a_resumed_run_takes_the_job_of_before |-> run.status = "succeeded" /\ \E n \in Completed: jobs[n].resume < run.resumes,
  a_resumed_run_asks_again |-> \E n \in Open: jobs[n].resume > 0,
  the_last_attempt_fails |-> run.status = "failed" /\ jobs[Attempts].status = "failed",
  a_refused_job |-> \E i \in Tasks: tasks[i].late = "refused",
  a_slice_without_the_lease_tells |-> \E i \in Tasks: tasks[i].pc = "tell" /\ run.owner # i]
Watch == \A p \in DOMAIN Reached: Reached[p] => FirstSeen(1, "reached", p)
================================================================================
