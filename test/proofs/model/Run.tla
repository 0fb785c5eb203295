---------------------------------- MODULE Run ----------------------------------
(*
One run from its creation to its deletion, as the code executes it: every action is one read, one commit or one call
of another service, so that a process may die between any two of them.

What stands for what:
- A commit is conditional on the version that was read. Numbers would tell apart states that behave alike, so a reader
  has a flag instead: `fresh` until the next commit.
- A commit under a lease reads again when the run has changed, and asks for the owner: one action.
- An execution has a name, and no name is executed twice. Its task is started again when it dies and, as a fault, also
  while it lives. Only the task that was started last reports to its execution.
- Time is abstract: a deadline may pass at any moment, and the sweep may look at any moment.
- A rerun is a create that begins at a later step. The token of a parked execution is its name.
- Faults are finite: a task, the sweep or an operator's command dies, a start is lost, an execution is gone.

`Without` names one protection that is taken out; with "nothing" the model is the code.
*)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS MaxTasks, Steps, MaxFaults, MaxResumes, MaxMaintenances, MaxLates, Without

VARIABLES run, tasks, executions, starts, sweep, maintenance, faults, lates, history
vars == <<run, tasks, executions, starts, sweep, maintenance, faults, lates, history>>

None == "none"
Tasks == 1..MaxTasks
Names == 1..(1 + MaxFaults + MaxResumes)
Terminal == {"succeeded", "failed", "canceled"}
(* Prints a value when it comes for the first time. Always true. *)
FirstSeen(register, what, value) ==
  IF value \in TLCGet(register) THEN TRUE
  ELSE PrintT(<<what, value>>) /\ TLCSet(register, TLCGet(register) \cup {value})
Has(protection) == Without # protection

Free == [pc |-> "free", execution |-> 0, fresh |-> FALSE, maintained |-> FALSE, position |-> 0, found |-> None,
         result |-> None]

Init ==
  /\ run = [status |-> None, finished |-> FALSE, planned |-> FALSE, position |-> 0, working |-> FALSE,
            owner |-> 0, pausing |-> FALSE, token |-> 0, execution |-> 1, life |-> 1, due |-> FALSE,
            late |-> None, resumes |-> 0]
  /\ tasks = [i \in Tasks |-> Free]
  /\ executions = [n \in Names |-> [at |-> "unstarted", task |-> 0]]
  /\ starts = {}
  /\ sweep = [pc |-> "idle", fresh |-> FALSE]
  /\ maintenance = [on |-> FALSE, pc |-> "idle", times |-> 0]
  /\ faults = 0
  /\ lates = 0
  /\ history = [completed |-> [p \in 0..Steps - 1 |-> 0], ends |-> 0, foreign |-> FALSE]
  /\ TLCSet(1, {}) /\ TLCSet(2, {})

--------------------------------------------------------------------------------
(* Commits *)

Occurs(event, events) == \E k \in 1..Len(events): events[k] = event
Count(some, events) == IF \E event \in some: Occurs(event, events) THEN 1 ELSE 0
Ends == {"run.succeeded", "run.failed", "run.canceled"}

(* The campaign compares what was committed with the relation that the code checks its histories by. *)
Seen(before, after, events) ==
  IF Has("nothing") THEN TRUE
  ELSE FirstSeen(1, "committed", <<before.status, before.finished, after.status, after.finished, events>>)
(* `name`: the execution whose task commits; 0: no task does. `position`: of the step that the commit ends. *)
Write(before, name, position, to) ==
  /\ run' = to.run
  /\ history' = [completed |-> [history.completed EXCEPT ![position] = @ + Count({"step.completed"}, to.events)],
                 ends |-> history.ends + Count(Ends, to.events),
                 foreign |-> history.foreign \/ (name # 0 /\ name < run.life)]
  /\ Seen(before, to.run, to.events)
Here(r) == IF r.position < Steps THEN r.position ELSE 0
CommitOf(name, to) == Write(run, name, Here(run), to)
(* No reader has the latest version any more. *)
Stale(all) == [i \in Tasks |-> [all[i] EXCEPT !.fresh = FALSE]]
AllStale == tasks' = Stale(tasks) /\ sweep' = [sweep EXCEPT !.fresh = FALSE]
OthersStale(i, task) == tasks' = [Stale(tasks) EXCEPT ![i] = task] /\ sweep' = [sweep EXCEPT !.fresh = FALSE]

Fault == faults < MaxFaults /\ faults' = faults + 1
Fine == UNCHANGED faults

--------------------------------------------------------------------------------
(* Transitions *)

To(r, events) == [run |-> r, events |-> events]
Ended(r, status) ==
  [r EXCEPT !.status = status, !.finished = TRUE, !.working = FALSE, !.pausing = FALSE, !.token = 0, !.due = FALSE,
            !.late = None,
            !.owner = IF Has("owner cleared") THEN 0 ELSE @]
End(r, status, done) == To(Ended(r, status), Append(done, "run." \o status))
IsTerminal(r) == r.status \in Terminal
Overdue(r) == (r.status = "pending" /\ r.late = "start") \/ (r.status = "running" /\ r.late = "work")

(* From outside its steps: the deadline has passed, or the tasks keep failing. *)
GivenUp(r) ==
  IF IsTerminal(r) THEN End(r, "canceled", <<>>)
  ELSE End(r, "failed", IF r.working THEN <<"step.failed">> ELSE <<>>)

NextOf(r, done) ==
  IF r.status = "canceled" THEN End(r, "canceled", done)
  ELSE IF r.position = Steps THEN End(r, "succeeded", done)
  ELSE IF Overdue(r) /\ Has("deadline") THEN End(r, "failed", done)
  ELSE IF r.pausing THEN To([r EXCEPT !.status = "paused", !.pausing = FALSE, !.owner = 0], Append(done, "run.paused"))
  ELSE To([r EXCEPT !.working = TRUE], Append(done, "step.started"))
Done(r, position) ==
  IF r.planned THEN NextOf([r EXCEPT !.position = position + 1, !.working = FALSE], <<"step.completed">>)
  ELSE NextOf([r EXCEPT !.planned = TRUE], <<>>)
Failed(r) ==
  End(r, IF r.status = "canceled" THEN "canceled" ELSE "failed", IF r.planned THEN <<"step.failed">> ELSE <<>>)
Outcomes(r, position) == {Done(r, position), Failed(r)}

(* From pending or paused to running; a run with a plan starts its first step in the same commit. *)
StartEvents(r) ==
  <<"run.started">> \o (IF r.status = "pending" THEN [k \in 1..r.position |-> "step.skipped"] ELSE <<>>)
Started(r, i) ==
  To([r EXCEPT !.status = "running", !.token = 0, !.pausing = FALSE, !.owner = i, !.working = r.planned, !.late = None],
     StartEvents(r) \o IF r.planned THEN <<"step.started">> ELSE <<>>)
(* The start, followed by what its step led to, as one commit. *)
Followed(first, second) == To(second.run, first.events \o second.events)

--------------------------------------------------------------------------------
(* Clients *)

(* Create and rerun: the run is stored; its execution is started, unless the process dies. *)
Create ==
  /\ run.status = None
  /\ \E position \in 0..Steps - 1, planned \in BOOLEAN:
       /\ planned \/ position = 0
       /\ CommitOf(0, To([run EXCEPT !.status = "pending", !.position = position, !.planned = planned, !.due = TRUE],
                         <<"run.created">>))
  /\ starts' = {1}
  /\ UNCHANGED <<tasks, executions, sweep, maintenance, faults, lates>>

Woken(name) ==
  IF name # 0 /\ executions[name].at \in {"stored", "parked"} THEN [executions EXCEPT ![name].at = "execute"]
  ELSE executions

Cancel ==
  /\ run.status \in {"pending", "paused", "running"}
  /\ IF run.status = "running"
     THEN /\ CommitOf(0, IF Has("cancel waits") THEN To([run EXCEPT !.status = "canceled"], <<>>)
                         ELSE To([run EXCEPT !.status = "canceled", !.finished = TRUE], <<"run.canceled">>))
          /\ UNCHANGED <<executions, faults>>
     ELSE /\ CommitOf(0, End(run, "canceled", <<>>))
          /\ \/ Fine /\ executions' = Woken(run.token)
             \/ Fault /\ run.token # 0 /\ UNCHANGED executions
  /\ AllStale
  /\ UNCHANGED <<starts, maintenance, lates>>

Resume ==
  /\ run.status = "failed" \/ (~Has("only failed") /\ run.status = "canceled" /\ run.finished)
  /\ run.planned /\ run.resumes < MaxResumes
  /\ LET name == run.execution + 1 IN
       /\ CommitOf(0, To([run EXCEPT !.status = "pending", !.finished = FALSE, !.execution = name, !.life = name,
                                     !.due = Has("due again"), !.late = None, !.resumes = @ + 1], <<>>))
       /\ starts' = starts \cup {name}
  /\ AllStale
  /\ UNCHANGED <<executions, maintenance, faults, lates>>

Delete ==
  /\ run.finished /\ run.status # "deleted"
  /\ run' = [run EXCEPT !.status = "deleted"]
  /\ Seen(run, run', <<>>)
  /\ AllStale
  /\ UNCHANGED <<executions, starts, maintenance, faults, lates, history>>

TimeUp ==
  /\ lates < MaxLates /\ lates' = lates + 1
  /\ \/ run.status = "pending" /\ run.late # "start" /\ run' = [run EXCEPT !.late = "start"]
     \/ run.status = "running" /\ run.late # "work" /\ run' = [run EXCEPT !.late = "work"]
  /\ UNCHANGED <<tasks, executions, starts, sweep, maintenance, faults, history>>

--------------------------------------------------------------------------------
(* Executions *)

Move(name, at) == executions' = [executions EXCEPT ![name].at = at]
Over(name) == executions' = [executions EXCEPT ![name] = [at |-> "over", task |-> 0]]

(* Starting a name that was started before changes nothing. *)
Start(name) ==
  /\ name \in starts /\ starts' = starts \ {name}
  /\ IF executions[name].at = "unstarted" THEN Move(name, "execute") ELSE UNCHANGED executions
  /\ UNCHANGED <<run, tasks, sweep, maintenance, faults, lates, history>>
StartLost(name) ==
  /\ name \in starts /\ starts' = starts \ {name}
  /\ Fault
  /\ UNCHANGED <<run, tasks, executions, sweep, maintenance, lates, history>>

Gone(name) ==
  /\ executions[name].at \notin {"unstarted", "over"}
  /\ Fault /\ Over(name)
  /\ UNCHANGED <<run, tasks, starts, sweep, maintenance, lates, history>>

(* The last resort of an execution whose tasks keep failing. *)
FailRun(name) ==
  /\ executions[name].at = "failing" /\ Over(name)
  /\ IF run.status = "deleted" \/ run.finished \/ run.execution # name
     THEN UNCHANGED <<run, tasks, sweep, history>>
     ELSE CommitOf(name, GivenUp(run)) /\ AllStale
  /\ UNCHANGED <<starts, maintenance, faults, lates>>

(* A paused run's execution stores its token, then reads the flag: taken out, the other way round. *)
StoreToken(name) ==
  /\ executions[name].at = IF Has("token first") THEN "parking" ELSE "flagged"
  /\ IF run.status = "paused" /\ run.execution = name
     THEN /\ CommitOf(name, To([run EXCEPT !.token = name], <<>>)) /\ AllStale
          /\ Move(name, IF Has("token first") THEN "stored" ELSE "parked")
     ELSE Move(name, "execute") /\ UNCHANGED <<run, tasks, sweep, history>>
  /\ UNCHANGED <<starts, maintenance, faults, lates>>
ReadFlag(name) ==
  /\ executions[name].at = IF Has("token first") THEN "stored" ELSE "parking"
  /\ Move(name, IF ~maintenance.on THEN "execute" ELSE IF Has("token first") THEN "parked" ELSE "flagged")
  /\ UNCHANGED <<run, tasks, starts, sweep, maintenance, faults, lates, history>>
ParkDies(name) ==
  /\ executions[name].at = "stored" /\ Fault
  /\ Move(name, "parking")
  /\ UNCHANGED <<run, tasks, starts, sweep, maintenance, lates, history>>
(* The wait for a token ends after an hour, in case it was lost. *)
ParkTimesOut(name) ==
  /\ executions[name].at = "parked" /\ Has("park timeout")
  /\ Move(name, "execute")
  /\ UNCHANGED <<run, tasks, starts, sweep, maintenance, faults, lates, history>>

--------------------------------------------------------------------------------
(* Tasks *)

Before(i) == IF Has("version") THEN run ELSE tasks[i].found
CanCommit(i) == tasks[i].fresh \/ ~Has("version")
Position(i) == IF Has("lease") THEN Here(run) ELSE tasks[i].position
Reports(i, result) == [Free EXCEPT !.pc = "report", !.execution = tasks[i].execution, !.result = result]
WorksOn(i, position) ==
  [Free EXCEPT !.pc = "work", !.execution = tasks[i].execution, !.position = IF Has("lease") THEN 0 ELSE position]

(* Which task is free makes no difference. *)
NextFree ==
  IF \E i \in Tasks: tasks[i].pc = "free"
  THEN CHOOSE i \in Tasks: tasks[i].pc = "free" /\ \A k \in 1..i - 1: tasks[k].pc # "free"
  ELSE 0
Begin(i, name) ==
  /\ i = NextFree /\ executions[name].at = "execute" /\ executions[name].task = 0
  /\ tasks' = [tasks EXCEPT ![i] = [Free EXCEPT !.pc = "begun", !.execution = name]]
  /\ executions' = [executions EXCEPT ![name].task = i]
  /\ UNCHANGED <<run, starts, sweep, maintenance, faults, lates, history>>
(* The task is started again while the one before it lives. *)
BeginTwice(i, name) ==
  /\ i = NextFree /\ executions[name].at = "execute" /\ executions[name].task # 0
  /\ Fault
  /\ tasks' = [tasks EXCEPT ![i] = [Free EXCEPT !.pc = "begun", !.execution = name]]
  /\ executions' = [executions EXCEPT ![name].task = i]
  /\ UNCHANGED <<run, starts, sweep, maintenance, lates, history>>

(* Reads the run together with the flag. What needs no commit is decided by this read. *)
Read(i) ==
  /\ tasks[i].pc = "begun"
  /\ tasks' = [tasks EXCEPT ![i] =
       IF run.status = "deleted" \/ (Has("replaced") /\ run.execution # tasks[i].execution) \/ run.finished
       THEN Reports(i, "end")
       ELSE IF run.status = "paused" /\ maintenance.on THEN Reports(i, "park")
       ELSE [@ EXCEPT !.pc = "read", !.fresh = TRUE, !.maintained = maintenance.on /\ run.status = "pending",
                      !.found = IF Has("version") THEN None ELSE run]]
  /\ UNCHANGED <<run, executions, starts, sweep, maintenance, faults, lates, history>>

(* What follows a read: the run is ended, taken over, paused or started. *)
Acquire(i) ==
  /\ tasks[i].pc = "read"
  /\ IF ~CanCommit(i)
     THEN /\ tasks' = [tasks EXCEPT ![i] = [Free EXCEPT !.pc = "begun", !.execution = tasks[i].execution]]
          /\ UNCHANGED <<run, sweep, history>>
     ELSE LET r == Before(i)
              write(to, task) == Write(r, tasks[i].execution, Here(r), to) /\ OthersStale(i, task)
          IN
          IF IsTerminal(r) /\ ~r.working THEN write(End(r, "canceled", <<>>), Reports(i, "end"))
          ELSE IF Overdue(r) THEN write(GivenUp(r), Reports(i, "end"))
          ELSE IF r.status \in {"running", "canceled"}
            THEN write(To([r EXCEPT !.owner = i], <<>>), WorksOn(i, r.position))
          ELSE IF r.status = "pending" /\ (tasks[i].maintained \/ r.pausing)
            THEN write(To([r EXCEPT !.status = "paused", !.pausing = FALSE], Append(StartEvents(r), "run.paused")),
                       Reports(i, "park"))
          ELSE IF ~r.planned THEN write(Started(r, i), WorksOn(i, 0))
          ELSE /\ tasks' = [tasks EXCEPT ![i].pc = "starting"]
               /\ UNCHANGED <<run, sweep, history>>
  /\ UNCHANGED <<executions, starts, maintenance, faults, lates>>

Onward(i, r) ==
  IF r.finished THEN {Reports(i, "end")}
  ELSE IF r.status = "paused" THEN {Reports(i, "park")}
  ELSE {WorksOn(i, r.position), Reports(i, "continue")}

(* The start is committed before the first call of a model, or together with the end of the first step. *)
StartRun(i) ==
  /\ tasks[i].pc = "starting"
  /\ IF ~CanCommit(i)
     THEN /\ tasks' = [tasks EXCEPT ![i] = [Free EXCEPT !.pc = "begun", !.execution = tasks[i].execution]]
          /\ UNCHANGED <<run, sweep, history>>
     ELSE LET r == Before(i)
              start == Started(r, i)
          IN
          \/ /\ Write(r, tasks[i].execution, Here(r), start)
             /\ OthersStale(i, WorksOn(i, r.position))
          \/ \E outcome \in Outcomes(start.run, r.position):
               /\ Write(r, tasks[i].execution, Here(r), Followed(start, outcome))
               /\ \E task \in Onward(i, outcome.run): OthersStale(i, task)
  /\ UNCHANGED <<executions, starts, maintenance, faults, lates>>

(* A step, or the planning, is over. An invocation without the lease stops. *)
Work(i) ==
  /\ tasks[i].pc = "work"
  /\ IF run.status = "deleted" \/ (Has("lease") /\ run.owner # i)
     THEN tasks' = [tasks EXCEPT ![i] = Reports(i, "end")] /\ UNCHANGED <<run, sweep, history>>
     ELSE \E outcome \in Outcomes(run, Position(i)):
            /\ Write(run, tasks[i].execution, Position(i), outcome)
            /\ \E task \in Onward(i, outcome.run): OthersStale(i, task)
  /\ UNCHANGED <<executions, starts, maintenance, faults, lates>>

Report(i) ==
  /\ tasks[i].pc = "report"
  /\ tasks' = [tasks EXCEPT ![i] = Free]
  /\ LET name == tasks[i].execution IN
     IF executions[name].task # i THEN UNCHANGED executions
     ELSE executions' = [executions EXCEPT ![name] =
            [at |-> CASE tasks[i].result = "end" -> "over" [] tasks[i].result = "park" -> "parking" [] OTHER -> "execute",
             task |-> 0]]
  /\ UNCHANGED <<run, starts, sweep, maintenance, faults, lates, history>>

(* The execution starts a dead task again, until it has failed too often. *)
Crash(i) ==
  /\ tasks[i].pc # "free" /\ Fault
  /\ tasks' = [tasks EXCEPT ![i] = Free]
  /\ LET name == tasks[i].execution IN
     IF executions[name].task # i THEN UNCHANGED executions
     ELSE \E at \in {"execute", "failing"}: executions' = [executions EXCEPT ![name] = [at |-> at, task |-> 0]]
  /\ UNCHANGED <<run, starts, sweep, maintenance, lates, history>>

--------------------------------------------------------------------------------
(* The sweep *)

(* Starts the execution of a run that is due; needs another name for it if that one is over. *)
Restart ==
  LET name == run.execution IN
  /\ CASE executions[name].at = "unstarted" -> Move(name, "execute") /\ UNCHANGED sweep
       [] executions[name].at = "over" -> sweep' = [pc |-> "restart", fresh |-> TRUE] /\ UNCHANGED executions
       [] OTHER -> FALSE
  /\ UNCHANGED <<run, tasks, history>>
Look ==
  /\ Has("sweep") /\ run.due /\ sweep.pc = "idle"
  /\ IF Overdue(run)
     THEN /\ CommitOf(0, GivenUp(run)) /\ tasks' = Stale(tasks)
          /\ UNCHANGED <<executions, sweep>>
     ELSE IF run.status # "paused" THEN Restart
     ELSE /\ ~maintenance.on
          /\ IF Woken(run.token) # executions
             THEN executions' = Woken(run.token) /\ UNCHANGED <<run, tasks, sweep, history>>
             ELSE Restart
  /\ UNCHANGED <<starts, maintenance, faults, lates>>
Rename ==
  /\ sweep.pc = "restart"
  /\ sweep' = [pc |-> "idle", fresh |-> FALSE]
  /\ IF ~sweep.fresh THEN UNCHANGED <<run, tasks, starts, history>>
     ELSE LET name == run.execution + 1 IN
          /\ CommitOf(0, To([run EXCEPT !.execution = name], <<>>))
          /\ starts' = starts \cup {name}
          /\ tasks' = Stale(tasks)
  /\ UNCHANGED <<executions, maintenance, faults, lates>>
SweepDies ==
  /\ sweep.pc = "restart" /\ Fault
  /\ sweep' = [pc |-> "idle", fresh |-> FALSE]
  /\ UNCHANGED <<run, tasks, executions, starts, maintenance, lates, history>>

--------------------------------------------------------------------------------
(* Maintenance *)

CanPause == run.status \in {"pending", "running"}
MaintenanceBegins ==
  /\ maintenance.pc = "idle" /\ ~maintenance.on /\ maintenance.times < MaxMaintenances
  /\ maintenance' = [on |-> TRUE, pc |-> "asking", times |-> maintenance.times + 1]
  /\ UNCHANGED <<run, tasks, executions, starts, sweep, faults, lates, history>>
AskToPause ==
  /\ maintenance.pc = "asking"
  /\ maintenance' = [maintenance EXCEPT !.pc = "asked"]
  (* The task of a paused run may have read the flag before it was set: an empty commit makes it read again. *)
  /\ IF (CanPause /\ ~run.pausing) \/ (run.status = "paused" /\ Has("paused runs asked"))
     THEN CommitOf(0, To([run EXCEPT !.pausing = CanPause], <<>>)) /\ AllStale
     ELSE UNCHANGED <<run, tasks, sweep, history>>
  /\ UNCHANGED <<executions, starts, faults, lates>>
MaintenanceEnds ==
  /\ maintenance.on /\ maintenance.pc # "asking"
  /\ maintenance' = [maintenance EXCEPT !.on = FALSE, !.pc = "ending"]
  /\ UNCHANGED <<run, tasks, executions, starts, sweep, faults, lates, history>>
AskToContinue ==
  /\ maintenance.pc = "ending"
  /\ maintenance' = [maintenance EXCEPT !.pc = "idle"]
  /\ IF run.status = "paused" /\ run.token # 0
     THEN executions' = Woken(run.token) /\ UNCHANGED <<run, tasks, sweep, history>>
     ELSE IF CanPause /\ run.pausing
     THEN CommitOf(0, To([run EXCEPT !.pausing = FALSE], <<>>)) /\ AllStale /\ UNCHANGED executions
     ELSE UNCHANGED <<run, tasks, executions, sweep, history>>
  /\ UNCHANGED <<starts, faults, lates>>
OperatorDies ==
  /\ maintenance.pc \in {"asking", "ending"} /\ Fault
  /\ maintenance' = [maintenance EXCEPT !.pc = "idle"]
  /\ UNCHANGED <<run, tasks, executions, starts, sweep, lates, history>>

--------------------------------------------------------------------------------

TaskActs(i) == Read(i) \/ Acquire(i) \/ StartRun(i) \/ Work(i) \/ Report(i) \/ \E n \in Names: Begin(i, n)
ExecutionActs(name) == Start(name) \/ FailRun(name) \/ StoreToken(name) \/ ReadFlag(name) \/ ParkTimesOut(name)
Next ==
  \/ Create \/ Cancel \/ Resume \/ Delete \/ TimeUp
  \/ Look \/ Rename \/ SweepDies
  \/ MaintenanceBegins \/ AskToPause \/ MaintenanceEnds \/ AskToContinue \/ OperatorDies
  \/ \E i \in Tasks: TaskActs(i) \/ Crash(i) \/ \E n \in Names: BeginTwice(i, n)
  \/ \E n \in Names: ExecutionActs(n) \/ StartLost(n) \/ Gone(n) \/ ParkDies(n)
Fair ==
  /\ WF_vars(Look) /\ WF_vars(Rename)
  /\ WF_vars(AskToPause) /\ WF_vars(MaintenanceEnds) /\ WF_vars(AskToContinue)
  /\ \A i \in Tasks: WF_vars(TaskActs(i))
  /\ \A n \in Names: WF_vars(ExecutionActs(n))
Spec == Init /\ [][Next]_vars /\ Fair

--------------------------------------------------------------------------------
(* Promises: what always holds *)

StepsCompleteOnce == \A p \in DOMAIN history.completed: history.completed[p] <= 1
OneEnd == history.ends <= run.resumes + 1
EndedRunsRest == run.finished => ~run.working
OpenRunsAreDue == run.status \in {None, "deleted"} \/ run.finished \/ run.due
ReplacedTasksAreSilent == ~history.foreign

(* Promises: what no action does *)
Legal ==
  {<<None, "pending">>, <<"pending", "running">>, <<"pending", "paused">>, <<"running", "paused">>,
   <<"paused", "running">>, <<"failed", "pending">>}
  \cup ({"pending", "running", "paused"} \X Terminal) \cup (Terminal \X {"deleted"})
StatusesAreLegal == [][run.status = run'.status \/ <<run.status, run'.status>> \in Legal]_vars
EndedRunsAreFinal == [][run.finished /\ run' # run => run'.status \in {"pending", "deleted"}]_vars
StepBegins == run'.working /\ run'.status = "running" /\ (~run.working \/ run'.position # run.position)
MaintenanceStopsSteps == [][maintenance.pc = "asked" /\ maintenance.on => ~StepBegins]_vars
(* A start is judged by the clock of its read, a moment before its commit. *)
DeadlinesStopSteps == [][run.status = "running" /\ Overdue(run) => ~StepBegins]_vars
(* Without a crash, no run waits for the sweep when maintenance has ended. *)
ParkedRunsAreWoken ==
  faults = 0 /\ ~maintenance.on /\ maintenance.pc = "idle" => \A n \in Names: executions[n].at # "parked"

(* Promises: what happens in the end *)
EveryRunEnds == (run.status # None) ~> (run.finished \/ run.status = "deleted")

(* States that the checker has to find. *)
Reached == [
  two_tasks_work |-> \A i \in Tasks: tasks[i].pc = "work",
  a_lease_is_lost |-> run.status = "running" /\ \E i \in Tasks: tasks[i].pc = "work" /\ run.owner # i,
  a_replaced_task_lives |-> run.status = "running" /\ \E i \in Tasks: tasks[i].pc # "free" /\ tasks[i].execution < run.life,
  a_resumed_run_succeeds |-> run.resumes > 0 /\ run.status = "succeeded",
  a_cancel_waits_for_its_step |-> run.status = "canceled" /\ run.working,
  a_deadline_passes_at_work |-> run.status = "running" /\ Overdue(run) /\ \E i \in Tasks: tasks[i].pc = "work",
  a_deadline_ends_a_pending_run |-> run.status = "failed" /\ 1 \in starts,
  a_run_is_deleted_under_its_task |-> run.status = "deleted" /\ \E i \in Tasks: tasks[i].pc = "work",
  an_execution_gets_another_name |-> sweep.pc = "restart",
  a_rerun_skips_a_step |-> run.status = "running" /\ run.position > 0 /\ history.completed[0] = 0,
  a_parked_run_waits_for_its_end |-> maintenance.pc = "ending" /\ \E n \in Names: executions[n].at = "parked",
  a_task_starts_what_another_parked |-> run.status = "running" /\ executions[run.execution].at = "parked"]
Watch == \A p \in DOMAIN Reached: Reached[p] => FirstSeen(2, "reached", p)
================================================================================
