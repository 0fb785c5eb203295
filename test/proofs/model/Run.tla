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
- With outages, planning and every step need two answers of a model, which are in the journal once they have come. There is
  one model; "another" is any other run that asks it. A run that waits for it is paused, and its task may work on it.

`Without` names one protection that is taken out; with "nothing" the model is the code.
*)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS MaxTasks, Steps, MaxFaults, MaxResumes, MaxMaintenances, MaxLates, MaxOutages, Without

VARIABLES run, tasks, executions, starts, sweep, maintenance, faults, lates, models, history
vars == <<run, tasks, executions, starts, sweep, maintenance, faults, lates, models, history>>

None == "none"
Tasks == 1..MaxTasks
Names == 1..(1 + MaxFaults + MaxResumes)
Terminal == {"succeeded", "failed", "canceled"}
(* Prints a value when it comes for the first time. Always true. *)
FirstSeen(register, what, value) ==
  IF value \in TLCGet(register) THEN TRUE
  ELSE PrintT(<<what, value>>) /\ TLCSet(register, TLCGet(register) \cup {value})
Has(protection) == Without # protection
(* Whether steps call a model, and the answers that each of them needs. *)
Calls == MaxOutages > 0
Answers == IF Calls THEN 2 ELSE 0

Free == [pc |-> "free", execution |-> 0, fresh |-> FALSE, maintained |-> FALSE, position |-> 0, found |-> None,
         result |-> None, answered |-> 0]

Init ==
  /\ run = [status |-> None, finished |-> FALSE, planned |-> FALSE, position |-> 0, working |-> FALSE,
            owner |-> 0, pausing |-> FALSE, waiting |-> FALSE, token |-> 0, execution |-> 1, life |-> 1,
            due |-> FALSE, late |-> None, resumes |-> 0]
  /\ tasks = [i \in Tasks |-> Free]
  /\ executions = [n \in Names |-> [at |-> "unstarted", task |-> 0]]
  /\ starts = {}
  /\ sweep = [pc |-> "idle", fresh |-> FALSE]
  /\ maintenance = [on |-> FALSE, pc |-> "idle", times |-> 0]
  /\ faults = 0
  /\ lates = 0
  /\ models = [down |-> FALSE, item |-> "there", prober |-> 0, outages |-> 0, answers |-> [p \in 0..Steps |-> 0]]
  /\ history = [completed |-> [p \in 0..Steps - 1 |-> 0], ends |-> 0, foreign |-> FALSE, last |-> None,
                repeated |-> FALSE]
  /\ TLCSet(1, {}) /\ TLCSet(2, {})

--------------------------------------------------------------------------------
(* Commits *)

Occurs(event, events) == \E k \in 1..Len(events): events[k] = event
Count(some, events) == IF \E event \in some: Occurs(event, events) THEN 1 ELSE 0
Ends == {"run.succeeded", "run.failed", "run.canceled"}

(* The pauses and starts of the log, from the last one on. An end begins them again. *)
Changes(events) ==
  IF Calls THEN SelectSeq(<<history.last>> \o events, LAMBDA one: one \in {None, "run.started", "run.paused"} \cup Ends)
  ELSE <<None>>
Last(changes) == LET one == changes[Len(changes)] IN IF one \in Ends THEN None ELSE one
Repeats(changes) == \E k \in 2..Len(changes): changes[k] = changes[k - 1]

(* The campaign compares what was committed with the relation that the code checks its histories by. *)
Seen(before, after, events) ==
  IF Has("nothing") THEN TRUE
  ELSE FirstSeen(1, "committed", <<before.status, before.finished, after.status, after.finished, events>>)
(* `name`: the execution whose task commits; 0: no task does. `position`: of the step that the commit ends. *)
Write(before, name, position, to) ==
  /\ run' = to.run
  /\ history' = [completed |-> [history.completed EXCEPT ![position] = @ + Count({"step.completed"}, to.events)],
                 ends |-> history.ends + Count(Ends, to.events),
                 foreign |-> history.foreign \/ (name # 0 /\ name < run.life),
                 last |-> Last(Changes(to.events)), repeated |-> history.repeated \/ Repeats(Changes(to.events))]
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
  [r EXCEPT !.status = status, !.finished = TRUE, !.working = FALSE, !.pausing = FALSE, !.waiting = FALSE,
            !.token = 0, !.due = FALSE, !.late = None,
            !.owner = IF Has("owner cleared") THEN 0 ELSE @]
End(r, status, done) == To(Ended(r, status), Append(done, "run." \o status))
IsTerminal(r) == r.status \in Terminal
(* Paused because its model is away, perhaps in the middle of a step. *)
Waits(r) == r.status = "paused" /\ r.waiting
IsAtWork(r) == r.status = "running" \/ Waits(r)
Overdue(r) == (r.status = "pending" /\ r.late = "start") \/ (IsAtWork(r) /\ r.late = "work")

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
Outcomes(r, position, answered) == {Failed(r)} \cup IF answered < Answers THEN {} ELSE {Done(r, position)}

(* From pending or paused to running; a run with a plan starts its first step in the same commit. *)
StartEvents(r) ==
  <<"run.started">> \o (IF r.status = "pending" THEN [k \in 1..r.position |-> "step.skipped"] ELSE <<>>)
Started(r, i) ==
  To([r EXCEPT !.status = "running", !.token = 0, !.pausing = FALSE, !.owner = i, !.working = r.planned, !.late = None],
     StartEvents(r) \o IF r.planned THEN <<"step.started">> ELSE <<>>)
(* The start, followed by what its step led to, as one commit. *)
Followed(first, second) == To(second.run, first.events \o second.events)

(* The model is back: the run continues as it was. *)
Back(r) ==
  IF Waits(r) THEN To([r EXCEPT !.status = "running", !.waiting = FALSE, !.token = 0], <<"run.started">>)
  ELSE To(r, IF Has("started once") THEN <<>> ELSE <<"run.started">>)
(* No model may be called: a canceled run ends, one past its deadline or its patience fails, any other one waits. *)
Wait(r) ==
  IF Waits(r) THEN To([r EXCEPT !.owner = 0], IF Has("stays paused") THEN <<>> ELSE <<"run.paused">>)
  ELSE To([r EXCEPT !.status = "paused", !.waiting = TRUE, !.pausing = FALSE, !.owner = 0], <<"run.paused">>)
Unanswered(r) == {Failed(r)} \cup IF IsTerminal(r) \/ Overdue(r) THEN {} ELSE {Wait(r)}

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
  /\ UNCHANGED <<tasks, executions, sweep, maintenance, faults, lates, models>>

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
  /\ UNCHANGED <<starts, maintenance, lates, models>>

Resume ==
  /\ run.status = "failed" \/ (~Has("only failed") /\ run.status = "canceled" /\ run.finished)
  /\ run.planned /\ run.resumes < MaxResumes
  /\ LET name == run.execution + 1 IN
       /\ CommitOf(0, To([run EXCEPT !.status = "pending", !.finished = FALSE, !.execution = name, !.life = name,
                                     !.due = Has("due again"), !.late = None, !.resumes = @ + 1], <<>>))
       /\ starts' = starts \cup {name}
  /\ AllStale
  /\ UNCHANGED <<executions, maintenance, faults, lates, models>>

Delete ==
  /\ run.finished /\ run.status # "deleted"
  /\ run' = [run EXCEPT !.status = "deleted"]
  /\ Seen(run, run', <<>>)
  /\ AllStale
  /\ UNCHANGED <<executions, starts, maintenance, faults, lates, models, history>>

TimeUp ==
  /\ lates < MaxLates /\ lates' = lates + 1
  /\ \/ run.status = "pending" /\ run.late # "start" /\ run' = [run EXCEPT !.late = "start"]
     \/ IsAtWork(run) /\ run.late # "work" /\ run' = [run EXCEPT !.late = "work"]
  /\ UNCHANGED <<tasks, executions, starts, sweep, maintenance, faults, models, history>>

--------------------------------------------------------------------------------
(* Executions *)

Move(name, at) == executions' = [executions EXCEPT ![name].at = at]
Over(name) == executions' = [executions EXCEPT ![name] = [at |-> "over", task |-> 0]]

(* Starting a name that was started before changes nothing. *)
Start(name) ==
  /\ name \in starts /\ starts' = starts \ {name}
  /\ IF executions[name].at = "unstarted" THEN Move(name, "execute") ELSE UNCHANGED executions
  /\ UNCHANGED <<run, tasks, sweep, maintenance, faults, lates, models, history>>
StartLost(name) ==
  /\ name \in starts /\ starts' = starts \ {name}
  /\ Fault
  /\ UNCHANGED <<run, tasks, executions, sweep, maintenance, lates, models, history>>

Gone(name) ==
  /\ executions[name].at \notin {"unstarted", "over"}
  /\ Fault /\ Over(name)
  /\ UNCHANGED <<run, tasks, starts, sweep, maintenance, lates, models, history>>

(* The last resort of an execution whose tasks keep failing. *)
FailRun(name) ==
  /\ executions[name].at = "failing" /\ Over(name)
  /\ IF run.status = "deleted" \/ run.finished \/ run.execution # name
     THEN UNCHANGED <<run, tasks, sweep, history>>
     ELSE CommitOf(name, GivenUp(run)) /\ AllStale
  /\ UNCHANGED <<starts, maintenance, faults, lates, models>>

(* A paused run's execution stores its token, then reads the flag: taken out, the other way round. *)
StoreToken(name) ==
  /\ executions[name].at = IF Has("token first") THEN "parking" ELSE "flagged"
  /\ IF run.status = "paused" /\ run.execution = name
     THEN /\ CommitOf(name, To([run EXCEPT !.token = name], <<>>)) /\ AllStale
          /\ Move(name, IF Has("token first") THEN "stored" ELSE "parked")
     ELSE Move(name, "execute") /\ UNCHANGED <<run, tasks, sweep, history>>
  /\ UNCHANGED <<starts, maintenance, faults, lates, models>>
ReadFlag(name) ==
  /\ executions[name].at = IF Has("token first") THEN "stored" ELSE "parking"
  /\ Move(name, IF ~maintenance.on /\ ~Waits(run) THEN "execute" ELSE IF Has("token first") THEN "parked" ELSE "flagged")
  /\ UNCHANGED <<run, tasks, starts, sweep, maintenance, faults, lates, models, history>>
ParkDies(name) ==
  /\ executions[name].at = "stored" /\ Fault
  /\ Move(name, "parking")
  /\ UNCHANGED <<run, tasks, starts, sweep, maintenance, lates, models, history>>
(* The wait for a token ends after an hour, in case it was lost; for a model, when a call is next worth while. *)
ParkTimesOut(name) ==
  /\ executions[name].at = "parked" /\ Has("park timeout")
  /\ Move(name, "execute")
  /\ UNCHANGED <<run, tasks, starts, sweep, maintenance, faults, lates, models, history>>

--------------------------------------------------------------------------------
(* Tasks *)

Before(i) == IF Has("version") THEN run ELSE tasks[i].found
CanCommit(i) == tasks[i].fresh \/ ~Has("version")
Position(i) == IF Has("lease") THEN Here(run) ELSE tasks[i].position
Reports(i, result) == [Free EXCEPT !.pc = "report", !.execution = tasks[i].execution, !.result = result]
(* Where planning and each step count their answers. *)
Place(r) == IF r.planned THEN Here(r) ELSE Steps
Known(r) == IF Has("journal read") THEN models.answers[Place(r)] ELSE 0
WorksOn(i, r) ==
  [Free EXCEPT !.pc = "work", !.execution = tasks[i].execution, !.position = IF Has("lease") THEN 0 ELSE r.position,
               !.answered = Known(r)]

(* Which task is free makes no difference. *)
NextFree ==
  IF \E i \in Tasks: tasks[i].pc = "free"
  THEN CHOOSE i \in Tasks: tasks[i].pc = "free" /\ \A k \in 1..i - 1: tasks[k].pc # "free"
  ELSE 0
Begin(i, name) ==
  /\ i = NextFree /\ executions[name].at = "execute" /\ executions[name].task = 0
  /\ tasks' = [tasks EXCEPT ![i] = [Free EXCEPT !.pc = "begun", !.execution = name]]
  /\ executions' = [executions EXCEPT ![name].task = i]
  /\ UNCHANGED <<run, starts, sweep, maintenance, faults, lates, models, history>>
(* The task is started again while the one before it lives. *)
BeginTwice(i, name) ==
  /\ i = NextFree /\ executions[name].at = "execute" /\ executions[name].task # 0
  /\ Fault
  /\ tasks' = [tasks EXCEPT ![i] = [Free EXCEPT !.pc = "begun", !.execution = name]]
  /\ executions' = [executions EXCEPT ![name].task = i]
  /\ UNCHANGED <<run, starts, sweep, maintenance, lates, models, history>>

(* Reads the run together with the flag. What needs no commit is decided by this read. *)
Read(i) ==
  /\ tasks[i].pc = "begun"
  /\ tasks' = [tasks EXCEPT ![i] =
       IF run.status = "deleted" \/ (Has("replaced") /\ run.execution # tasks[i].execution) \/ run.finished
       THEN Reports(i, "end")
       ELSE IF run.status = "paused" /\ ~run.waiting /\ maintenance.on THEN Reports(i, "park")
       ELSE [@ EXCEPT !.pc = "read", !.fresh = TRUE,
                      !.maintained = maintenance.on /\ (run.status = "pending" \/ Waits(run)),
                      !.found = IF Has("version") THEN None ELSE run]]
  /\ UNCHANGED <<run, executions, starts, sweep, maintenance, faults, lates, models, history>>

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
            THEN write(To([r EXCEPT !.owner = i], <<>>), WorksOn(i, r))
          ELSE IF Waits(r)
            THEN IF tasks[i].maintained THEN write(To([r EXCEPT !.waiting = FALSE], <<>>), Reports(i, "park"))
                 ELSE write(To([r EXCEPT !.owner = i, !.token = 0], <<>>), [WorksOn(i, r) EXCEPT !.fresh = TRUE])
          ELSE IF r.working THEN write(To(Started(r, i).run, <<"run.started">>), WorksOn(i, r))
          ELSE IF r.status = "pending" /\ (tasks[i].maintained \/ r.pausing)
            THEN write(To([r EXCEPT !.status = "paused", !.pausing = FALSE], Append(StartEvents(r), "run.paused")),
                       Reports(i, "park"))
          ELSE IF ~r.planned THEN write(Started(r, i), WorksOn(i, r))
          ELSE /\ tasks' = [tasks EXCEPT ![i].pc = "starting", ![i].answered = Known(r)]
               /\ UNCHANGED <<run, sweep, history>>
  /\ UNCHANGED <<executions, starts, maintenance, faults, lates, models>>

(* The start of a run that has waited is refused when the run has changed since it was read: then it is read again. *)
MayStart(i) ==
  tasks[i].fresh \/ run.status # "paused" \/ ~Has("unchanged since its wait")
(* It needs an answer, and the model is away; or a call of another run is the one that tries it. *)
IsLeftAlone(i) ==
  tasks[i].answered < Answers /\ (models.item = "away" \/ (models.item = "due" /\ models.prober # 0))
Onward(i, r) ==
  IF r.finished THEN {Reports(i, "end")}
  ELSE IF r.status = "paused" THEN {Reports(i, "park")}
  ELSE {WorksOn(i, r), Reports(i, "continue")}

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
             /\ OthersStale(i, WorksOn(i, r))
          \/ \E outcome \in Outcomes(start.run, r.position, tasks[i].answered)
                             \cup IF IsLeftAlone(i) THEN Unanswered(start.run) ELSE {}:
               /\ Write(r, tasks[i].execution, Here(r), Followed(start, outcome))
               /\ \E task \in Onward(i, outcome.run): OthersStale(i, task)
  /\ UNCHANGED <<executions, starts, maintenance, faults, lates, models>>

(* A step, or the planning, is over. An invocation without the lease stops. *)
Work(i) ==
  /\ tasks[i].pc = "work"
  /\ IF run.status = "deleted" \/ (Has("lease") /\ run.owner # i)
     THEN tasks' = [tasks EXCEPT ![i] = Reports(i, "end")] /\ UNCHANGED <<run, sweep, history>>
     ELSE IF ~MayStart(i)
     THEN tasks' = [tasks EXCEPT ![i] = [Free EXCEPT !.pc = "begun", !.execution = tasks[i].execution]]
          /\ UNCHANGED <<run, sweep, history>>
     ELSE LET back == Back(run) IN
          \/ \E outcome \in Outcomes(back.run, Position(i), tasks[i].answered):
               /\ Write(run, tasks[i].execution, Position(i), Followed(back, outcome))
               /\ \E task \in Onward(i, outcome.run): OthersStale(i, task)
          \/ /\ IsLeftAlone(i)
             /\ \E outcome \in Unanswered(run):
                  /\ Write(run, tasks[i].execution, Position(i), outcome)
                  /\ \E task \in Onward(i, outcome.run): OthersStale(i, task)
  /\ UNCHANGED <<executions, starts, maintenance, faults, lates, models>>

Report(i) ==
  /\ tasks[i].pc = "report"
  /\ tasks' = [tasks EXCEPT ![i] = Free]
  /\ LET name == tasks[i].execution IN
     IF executions[name].task # i THEN UNCHANGED executions
     ELSE executions' = [executions EXCEPT ![name] =
            [at |-> CASE tasks[i].result = "end" -> "over" [] tasks[i].result = "park" -> "parking" [] OTHER -> "execute",
             task |-> 0]]
  /\ UNCHANGED <<run, starts, sweep, maintenance, faults, lates, models, history>>

(* The execution starts a dead task again, until it has failed too often. *)
Crash(i) ==
  /\ tasks[i].pc # "free" /\ Fault
  /\ tasks' = [tasks EXCEPT ![i] = Free]
  /\ LET name == tasks[i].execution IN
     IF executions[name].task # i THEN UNCHANGED executions
     ELSE \E at \in {"execute", "failing"}: executions' = [executions EXCEPT ![name] = [at |-> at, task |-> 0]]
  /\ UNCHANGED <<run, starts, sweep, maintenance, lates, models, history>>

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
  /\ UNCHANGED <<starts, maintenance, faults, lates, models>>
Rename ==
  /\ sweep.pc = "restart"
  /\ sweep' = [pc |-> "idle", fresh |-> FALSE]
  /\ IF ~sweep.fresh THEN UNCHANGED <<run, tasks, starts, history>>
     ELSE LET name == run.execution + 1 IN
          /\ CommitOf(0, To([run EXCEPT !.execution = name], <<>>))
          /\ starts' = starts \cup {name}
          /\ tasks' = Stale(tasks)
  /\ UNCHANGED <<executions, maintenance, faults, lates, models>>
SweepDies ==
  /\ sweep.pc = "restart" /\ Fault
  /\ sweep' = [pc |-> "idle", fresh |-> FALSE]
  /\ UNCHANGED <<run, tasks, executions, starts, maintenance, lates, models, history>>

--------------------------------------------------------------------------------
(* Maintenance *)

CanPause == run.status \in {"pending", "running"}
MaintenanceBegins ==
  /\ maintenance.pc = "idle" /\ ~maintenance.on /\ maintenance.times < MaxMaintenances
  /\ maintenance' = [on |-> TRUE, pc |-> "asking", times |-> maintenance.times + 1]
  /\ UNCHANGED <<run, tasks, executions, starts, sweep, faults, lates, models, history>>
AskToPause ==
  /\ maintenance.pc = "asking"
  /\ maintenance' = [maintenance EXCEPT !.pc = "asked"]
  (* The task of a paused run may have read the flag before it was set: a commit makes it read again. Maintenance takes
     the place of a wait for a model. *)
  /\ IF (CanPause /\ ~run.pausing) \/ (run.status = "paused" /\ Has("paused runs asked"))
     THEN CommitOf(0, To([run EXCEPT !.pausing = CanPause, !.waiting = FALSE], <<>>)) /\ AllStale
     ELSE UNCHANGED <<run, tasks, sweep, history>>
  /\ UNCHANGED <<executions, starts, faults, lates, models>>
MaintenanceEnds ==
  /\ maintenance.on /\ maintenance.pc # "asking"
  /\ maintenance' = [maintenance EXCEPT !.on = FALSE, !.pc = "ending"]
  /\ UNCHANGED <<run, tasks, executions, starts, sweep, faults, lates, models, history>>
AskToContinue ==
  /\ maintenance.pc = "ending"
  /\ maintenance' = [maintenance EXCEPT !.pc = "idle"]
  /\ IF run.status = "paused" /\ run.token # 0
     THEN executions' = Woken(run.token) /\ UNCHANGED <<run, tasks, sweep, history>>
     ELSE IF CanPause /\ run.pausing
     THEN CommitOf(0, To([run EXCEPT !.pausing = FALSE], <<>>)) /\ AllStale /\ UNCHANGED executions
     ELSE UNCHANGED <<run, tasks, executions, sweep, history>>
  /\ UNCHANGED <<starts, faults, lates, models>>
OperatorDies ==
  /\ maintenance.pc \in {"asking", "ending"} /\ Fault
  /\ maintenance' = [maintenance EXCEPT !.pc = "idle"]
  /\ UNCHANGED <<run, tasks, executions, starts, sweep, lates, models, history>>

--------------------------------------------------------------------------------
(* Models *)

Another == MaxTasks + 1
ModelIs(item, prober) == models' = [models EXCEPT !.item = item, !.prober = prober]
Answered == [models EXCEPT !.answers[Place(run)] = @ + 1]
(* What a call does before its outcome changes neither the run nor anything else. *)
OnlyModels == UNCHANGED <<run, executions, starts, sweep, maintenance, faults, lates, history>>
NeedsAnswer(i) ==
  tasks[i].pc = "work" /\ tasks[i].answered < Answers /\ run.status # "deleted" /\ run.owner = i

(* Before a call to a model that is there, a run that waited says that it has started. *)
ModelIsBack(i) ==
  /\ Calls /\ tasks[i].pc = "work" /\ run.owner = i /\ Waits(run)
  /\ models.item = "there"
  /\ MayStart(i)
  /\ Write(run, tasks[i].execution, Here(run), Back(run))
  /\ OthersStale(i, [tasks[i] EXCEPT !.fresh = FALSE])
  /\ UNCHANGED <<executions, starts, maintenance, faults, lates, models>>
Call(i) ==
  /\ NeedsAnswer(i) /\ ~Waits(run) /\ models.item = "there"
  /\ IF models.down
     THEN ModelIs("away", 0) /\ UNCHANGED tasks
     ELSE models' = Answered /\ tasks' = [tasks EXCEPT ![i].answered = @ + 1]
  /\ OnlyModels
(* One call of the whole service tries a model whose time is up. *)
Probe(i) ==
  /\ NeedsAnswer(i) /\ models.item = "due" /\ (models.prober = 0 \/ ~Has("one prober"))
  /\ ModelIs("due", IF models.prober = 0 THEN i ELSE models.prober) /\ tasks' = [tasks EXCEPT ![i].pc = "probe"]
  /\ OnlyModels
(* The reply is in the journal before the others learn of it. *)
ProbeEnds(i) ==
  /\ tasks[i].pc = "probe"
  /\ IF models.down
     THEN ModelIs("away", 0) /\ tasks' = [tasks EXCEPT ![i].pc = "work"]
     ELSE /\ models' = IF run.owner = i THEN Answered ELSE models
          /\ tasks' = [tasks EXCEPT ![i].pc = "probed", ![i].answered = @ + 1]
  /\ OnlyModels
ProbeReports(i) ==
  /\ tasks[i].pc = "probed"
  /\ ModelIs("there", 0) /\ tasks' = [tasks EXCEPT ![i].pc = "work"]
  /\ OnlyModels
(* The claim of a prober that died ends with its time. *)
ProbeLapses ==
  /\ models.prober \in Tasks /\ tasks[models.prober].pc \notin {"probe", "probed"} /\ Has("claim ends")
  /\ ModelIs(models.item, 0)
  /\ UNCHANGED tasks /\ OnlyModels

GoesDown ==
  /\ ~models.down /\ models.outages < MaxOutages
  /\ models' = [models EXCEPT !.down = TRUE, !.outages = @ + 1]
  /\ UNCHANGED tasks /\ OnlyModels
ComesUp ==
  /\ models.down /\ models' = [models EXCEPT !.down = FALSE]
  /\ UNCHANGED tasks /\ OnlyModels
AwayEnds ==
  /\ models.item = "away" /\ Has("away ends") /\ ModelIs("due", 0)
  /\ UNCHANGED tasks /\ OnlyModels
AnotherFails ==
  /\ models.down /\ models.item = "there" /\ ModelIs("away", 0)
  /\ UNCHANGED tasks /\ OnlyModels
AnotherProbes ==
  /\ models.item = "due" /\ models.prober = 0 /\ ModelIs("due", Another)
  /\ UNCHANGED tasks /\ OnlyModels
AnotherEnds ==
  /\ models.prober = Another /\ ModelIs(IF models.down THEN "away" ELSE "there", 0)
  /\ UNCHANGED tasks /\ OnlyModels

--------------------------------------------------------------------------------

TaskActs(i) ==
  \/ Read(i) \/ Acquire(i) \/ StartRun(i) \/ Work(i) \/ Report(i) \/ \E n \in Names: Begin(i, n)
  \/ ModelIsBack(i) \/ Call(i) \/ Probe(i) \/ ProbeEnds(i) \/ ProbeReports(i)
ModelActs == ProbeLapses \/ ComesUp \/ AwayEnds \/ AnotherEnds
ExecutionActs(name) == Start(name) \/ FailRun(name) \/ StoreToken(name) \/ ReadFlag(name) \/ ParkTimesOut(name)
Next ==
  \/ Create \/ Cancel \/ Resume \/ Delete \/ TimeUp
  \/ Look \/ Rename \/ SweepDies
  \/ MaintenanceBegins \/ AskToPause \/ MaintenanceEnds \/ AskToContinue \/ OperatorDies
  \/ \E i \in Tasks: TaskActs(i) \/ Crash(i) \/ \E n \in Names: BeginTwice(i, n)
  \/ \E n \in Names: ExecutionActs(n) \/ StartLost(n) \/ Gone(n) \/ ParkDies(n)
  \/ Calls /\ (ModelActs \/ GoesDown \/ AnotherFails \/ AnotherProbes)
Fair ==
  /\ WF_vars(ProbeLapses) /\ WF_vars(ComesUp) /\ WF_vars(AwayEnds) /\ WF_vars(AnotherEnds)
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
PausesAndStartsAlternate == ~history.repeated
(* A reply that dies with its process, or comes to two tasks, is in the model of money. *)
NoAnswerIsPaidTwice == faults = 0 => \A p \in DOMAIN models.answers: models.answers[p] <= Answers
Probers == {i \in Tasks: tasks[i].pc = "probe"}
OneCallProbes == Cardinality(Probers) + (IF models.prober = Another THEN 1 ELSE 0) <= 1

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
DeadlinesStopSteps == [][run.status # "pending" /\ Overdue(run) => ~StepBegins]_vars
(* Without a crash, no run waits for the sweep when maintenance has ended. *)
ParkedRunsAreWoken ==
  faults = 0 /\ ~maintenance.on /\ maintenance.pc = "idle" /\ run.status = "paused" /\ ~Waits(run)
    => executions[run.execution].at # "parked"

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
  a_run_waits_in_its_step |-> Waits(run) /\ run.working,
  a_run_waits_for_its_plan |-> Waits(run) /\ ~run.planned,
  a_waiting_run_probes |-> Waits(run) /\ \E i \in Probers: run.owner = i,
  a_waiting_run_waits_for_another |-> Waits(run) /\ models.item = "due" /\ models.prober = Another,
  a_prober_is_dead |-> models.prober \in Tasks /\ tasks[models.prober].pc = "free",
  a_canceled_run_probes |-> run.status = "canceled" /\ Probers # {},
  a_deadline_passes_in_a_wait |-> Waits(run) /\ Overdue(run),
  maintenance_takes_the_place_of_a_wait |-> run.status = "paused" /\ ~run.waiting /\ run.working,
  a_run_succeeds_after_its_wait |-> run.status = "succeeded" /\ models.outages > 0,
  a_parked_run_waits_for_its_end |-> maintenance.pc = "ending" /\ \E n \in Names: executions[n].at = "parked",
  a_task_starts_what_another_parked |-> run.status = "running" /\ executions[run.execution].at = "parked"]
Watch == \A p \in DOMAIN Reached: Reached[p] => FirstSeen(2, "reached", p)
================================================================================
