--------------------------------- MODULE Money ---------------------------------
(*
What a run costs. Two parts that share no state, so that each is checked alone:
- "calls": the replies of a model to one step, from the first reply until each is counted on the run and its day.
- "holds": the slot and the credits that a run reserves, from the claim until what it used is charged.

What stands for what:
- One reply costs 1. A step of one call commits it with its end; one of several writes each to the journal first.
- A reader of the run is `fresh` until the next commit, as in Run.
- A fault is one of: a task or a request dies, a task is started while another lives, a commit gets no reply.
- A time is the number of ends of the run before it. The clock of a claim may be read before an end that comes first.
- A claim counts as abandoned when no request is at work that made one: requests end within two minutes.
Not modeled: a write that is applied after its caller has looked whether it was; a request that claims a slot, or
resumes the run, while the sweep or a copy of the create that lost its race is about to release a claim it has seen.

`Without` names one protection that is taken out; with "nothing" the model is the code.
*)
EXTENDS Naturals, Integers, FiniteSets, TLC

CONSTANTS Part, Calls, MaxTasks, MaxFaults, MaxResumes, Without

VARIABLES run, tasks, journal, giver, replies, faults, holds, requests
vars == <<run, tasks, journal, giver, replies, faults, holds, requests>>

Tasks == 1..MaxTasks
(* Prints a value when it comes for the first time. Always true. *)
FirstSeen(register, what, value) ==
  IF value \in TLCGet(register) THEN TRUE
  ELSE PrintT(<<what, value>>) /\ TLCSet(register, TLCGet(register) \cup {value})
Has(protection) == Without # protection

--------------------------------------------------------------------------------
(* Calls *)

(* `sent`: the direct replies in the last commit. `known`: those that the run is known to have counted. *)
Idle == [pc |-> "free", direct |-> 0, seen |-> {}, asked |-> 0, waits |-> FALSE, applied |-> FALSE, sent |-> 0,
         known |-> 0, fresh |-> FALSE, read |-> 0]
Nothing == [pc |-> "idle", fresh |-> FALSE, read |-> 0]
CallsInit ==
  /\ run = [status |-> "running", owner |-> 0, spent |-> 0, journaled |-> 0, resumes |-> 0,
            counted |-> [i \in Tasks |-> 0]]
  /\ tasks = [i \in Tasks |-> Idle]
  /\ journal = {}
  /\ giver = Nothing
  (* What is true, whatever processes know: replies, those lost with a process, those on the day. *)
  /\ replies = [made |-> 0, lost |-> 0, day |-> 0, crashes |-> 0, twice |-> 0]
  /\ faults = 0

Fault == faults < MaxFaults /\ faults' = faults + 1
Size(calls) == Cardinality(calls)
Old(all) == [i \in Tasks |-> [all[i] EXCEPT !.fresh = FALSE]]
Unread == giver' = [giver EXCEPT !.fresh = FALSE]
OnlyTask(i, task) == tasks' = [tasks EXCEPT ![i] = task]
Committed(i, task) == tasks' = [Old(tasks) EXCEPT ![i] = task] /\ Unread

NoTask == 0
(* The run and its day after a commit that counts `direct` replies of a task and a journal of this size. *)
Counts(r, i, direct, size) ==
  LET more == direct + (IF Has("difference") THEN size - r.journaled ELSE size) IN
  /\ run' = [r EXCEPT !.spent = run.spent + more, !.journaled = size,
                !.counted = [k \in Tasks |-> IF k = i THEN @[k] + direct ELSE @[k]]]
  /\ replies' = [replies EXCEPT !.day = @ + (IF Has("one commit") THEN more ELSE 0)]

BeginTask(i) ==
  /\ tasks[i].pc = "free" /\ \A k \in 1..i - 1: tasks[k].pc # "free"
  /\ run.status = "running"
  /\ IF \E k \in Tasks: tasks[k].pc # "free"
     THEN Fault /\ replies' = [replies EXCEPT !.twice = @ + 1]
     ELSE UNCHANGED <<faults, replies>>
  (* Each task has a name that no other had. *)
  /\ run' = [run EXCEPT !.owner = i, !.counted[i] = 0]
  /\ Committed(i, [Idle EXCEPT !.pc = "work", !.seen = IF Has("journal read") THEN journal ELSE {}])
  /\ UNCHANGED journal

IsSingle(i) == Calls = 1 /\ tasks[i].seen = {}
Ask(i) ==
  /\ tasks[i].pc = "work" /\ tasks[i].asked = 0 /\ ~tasks[i].waits
  /\ \E k \in 1..Calls \ tasks[i].seen:
       OnlyTask(i, IF IsSingle(i) THEN [tasks[i] EXCEPT !.direct = @ + 1, !.waits = TRUE]
                   ELSE [tasks[i] EXCEPT !.asked = k])
  /\ replies' = [replies EXCEPT !.made = @ + 1]
  /\ UNCHANGED <<run, journal, giver, faults>>
(* The journal takes the first reply of a call. Another is counted by a commit at once. A call may be under way while
   the commit for another fails. *)
Record(i) ==
  /\ tasks[i].pc \in {"work", "settle"} /\ tasks[i].asked # 0
  /\ LET k == tasks[i].asked
         after == [tasks[i] EXCEPT !.asked = 0, !.seen = @ \cup {k}] IN
     IF k \in journal THEN /\ OnlyTask(i, [after EXCEPT !.direct = @ + 1, !.pc = IF @ = "work" THEN "count" ELSE @])
                          /\ UNCHANGED journal
     ELSE OnlyTask(i, after) /\ journal' = journal \cup {k}
  /\ UNCHANGED <<run, giver, replies, faults>>

Settles(i) == [tasks[i] EXCEPT !.pc = IF Has("settlement") THEN "settle" ELSE "free"]
(* A leased commit that leaves the run as `to`, counts, and is applied, or is not, without a reply. *)
Commit(i, to, task) ==
  IF run.owner # i THEN /\ OnlyTask(i, IF Has("settlement") THEN Settles(i) ELSE Idle)
                        /\ UNCHANGED <<run, giver, replies, faults>>
  ELSE \/ Counts(to, i, tasks[i].direct, Size(tasks[i].seen)) /\ Committed(i, task) /\ UNCHANGED faults
       \/ /\ Fault
          /\ LET left == [Settles(i) EXCEPT !.sent = tasks[i].direct] IN
             \/ Counts(to, i, tasks[i].direct, Size(tasks[i].seen)) /\ Committed(i, [left EXCEPT !.applied = TRUE])
             \/ OnlyTask(i, left) /\ UNCHANGED <<run, giver, replies>>
Progress(i) ==
  /\ tasks[i].pc \in {"work", "count"} /\ ~tasks[i].waits
  /\ tasks[i].direct > 0 \/ Size(tasks[i].seen) # run.journaled \/ run.owner # i
  /\ Commit(i, run, [tasks[i] EXCEPT !.pc = "work", !.direct = 0, !.known = @ + tasks[i].direct])
  /\ UNCHANGED journal
EndStep(i) ==
  /\ tasks[i].pc = "work" /\ tasks[i].asked = 0
  /\ tasks[i].waits \/ tasks[i].seen = 1..Calls
  /\ Commit(i, [run EXCEPT !.status = "over", !.owner = 0], Idle)
  /\ UNCHANGED journal
(* A failed step reads the journal once more: an invocation without the lease may have added to it. *)
Refresh(i) ==
  /\ tasks[i].pc = "work" /\ tasks[i].asked = 0
  /\ OnlyTask(i, [tasks[i] EXCEPT !.pc = "failing", !.seen = @ \cup journal])
  /\ UNCHANGED <<run, journal, giver, replies, faults>>
FailStep(i) ==
  /\ tasks[i].pc = "failing"
  (* While it failed, an invocation without the lease may have journaled one more: what is left is settled. *)
  /\ Commit(i, [run EXCEPT !.status = "ended", !.owner = 0],
            IF Has("journal after the end")
            THEN [Idle EXCEPT !.pc = "settle", !.known = tasks[i].known + tasks[i].direct] ELSE Idle)
  /\ UNCHANGED journal

(* What no commit has counted. *)
SettleRead(i) ==
  /\ tasks[i].pc = "settle" /\ tasks[i].asked = 0
  /\ LET t == tasks[i]
         (* The last commit had no reply, and took effect all the same. *)
         recognized == Has("recognized") /\ run.counted[i] > t.known
         direct == IF recognized THEN t.direct - t.sent ELSE t.direct
         journals == run.status = "running" /\ run.owner = i /\ t.waits /\ direct > 0 /\ 1 \notin journal
     IN OnlyTask(i, [t EXCEPT !.pc = IF journals THEN "journaling" ELSE "settling", !.fresh = TRUE, !.direct = direct,
                       !.applied = IF recognized THEN FALSE ELSE @, !.known = run.counted[i],
                       !.read = IF run.status = "ended" /\ Has("journal settled") THEN Size(journal) ELSE -1])
  /\ UNCHANGED <<run, journal, giver, replies, faults>>
(* A single call waits in the journal for the next try of its step, unless another task has begun: it has read it. *)
JournalWaiting(i) ==
  /\ tasks[i].pc = "journaling"
  /\ IF ~tasks[i].fresh /\ Has("run unchanged") THEN OnlyTask(i, [tasks[i] EXCEPT !.pc = "settle"]) /\ UNCHANGED journal
     ELSE /\ journal' = journal \cup {1}
          /\ OnlyTask(i, [tasks[i] EXCEPT !.pc = "settling", !.direct = @ - 1, !.waits = FALSE])
  /\ UNCHANGED <<run, giver, replies, faults>>
Settle(i) ==
  /\ tasks[i].pc = "settling"
  /\ LET t == tasks[i] IN
     IF run.status = "deleted"
     THEN replies' = [replies EXCEPT !.day = @ + t.direct] /\ OnlyTask(i, Idle) /\ UNCHANGED <<run, giver, faults>>
     ELSE IF ~t.fresh
     THEN OnlyTask(i, [t EXCEPT !.pc = "settle"]) /\ UNCHANGED <<run, giver, replies, faults>>
     ELSE LET size == IF t.read = -1 THEN run.journaled ELSE t.read
              again == [t EXCEPT !.pc = "settle", !.sent = t.direct]
          IN
          IF t.direct = 0 /\ size = run.journaled THEN OnlyTask(i, Idle) /\ UNCHANGED <<run, giver, replies, faults>>
          ELSE \/ Counts(run, i, t.direct, size) /\ Committed(i, Idle) /\ UNCHANGED faults
               \/ Fault /\ Counts(run, i, t.direct, size) /\ Committed(i, [again EXCEPT !.applied = TRUE])
               \/ Fault /\ OnlyTask(i, again) /\ UNCHANGED <<run, giver, replies>>
  /\ UNCHANGED journal

Dies(i) ==
  /\ tasks[i].pc # "free" /\ Fault
  /\ OnlyTask(i, Idle)
  /\ replies' = [replies EXCEPT !.crashes = @ + 1,
       !.lost = @ + tasks[i].direct - (IF tasks[i].applied THEN tasks[i].sent ELSE 0)
                  + (IF tasks[i].asked # 0 THEN 1 ELSE 0)]
  /\ UNCHANGED <<run, journal, giver>>

(* From outside: a deadline has passed, or the tasks keep failing. *)
GiverReads ==
  /\ giver.pc = "idle" /\ run.status = "running"
  /\ giver' = [pc |-> "read", fresh |-> TRUE, read |-> Size(journal)]
  /\ UNCHANGED <<run, tasks, journal, replies, faults>>
GiveUp ==
  /\ giver.pc = "read"
  /\ IF ~giver.fresh THEN giver' = Nothing /\ UNCHANGED <<run, tasks, replies>>
     ELSE /\ Counts([run EXCEPT !.status = "ended", !.owner = 0], NoTask, 0, giver.read) /\ tasks' = Old(tasks)
          /\ giver' = IF Has("journal after the end") THEN [Nothing EXCEPT !.pc = "ended"] ELSE Nothing
  /\ UNCHANGED <<journal, faults>>
(* A task that still lived may have journaled a call since the journal was read. *)
GiverReadsAgain ==
  /\ giver.pc = "ended"
  /\ giver' = [pc |-> "read again", fresh |-> TRUE, read |-> Size(journal)]
  /\ UNCHANGED <<run, tasks, journal, replies, faults>>
GiverCounts ==
  /\ giver.pc = "read again"
  /\ giver' = IF giver.fresh \/ run.status # "ended" THEN Nothing ELSE [Nothing EXCEPT !.pc = "ended"]
  /\ IF giver.fresh /\ run.status = "ended" /\ giver.read # run.journaled
     THEN Counts(run, NoTask, 0, giver.read) /\ tasks' = Old(tasks)
     ELSE UNCHANGED <<run, tasks, replies>>
  /\ UNCHANGED <<journal, faults>>
ResumeRun ==
  /\ run.status = "ended" /\ run.resumes < MaxResumes
  /\ run' = [run EXCEPT !.status = "running", !.resumes = @ + 1]
  /\ tasks' = Old(tasks) /\ Unread
  /\ UNCHANGED <<journal, replies, faults>>
DeleteRun ==
  /\ run.status \in {"ended", "over"}
  /\ run' = [run EXCEPT !.status = "deleted"]
  /\ tasks' = Old(tasks) /\ Unread
  /\ UNCHANGED <<journal, replies, faults>>

TaskActs(i) ==
  \/ BeginTask(i) \/ Ask(i) \/ Record(i) \/ Progress(i) \/ EndStep(i) \/ Refresh(i) \/ FailStep(i)
  \/ SettleRead(i) \/ JournalWaiting(i) \/ Settle(i)
CallsNext ==
  /\ \/ \E i \in Tasks: TaskActs(i) \/ Dies(i)
     \/ GiverReads \/ GiveUp \/ GiverReadsAgain \/ GiverCounts \/ ResumeRun \/ DeleteRun
  /\ UNCHANGED <<holds, requests>>

Quiet == run.status # "running" /\ giver.pc = "idle" /\ \A i \in Tasks: tasks[i].pc = "free"
(* Replies in the journal of a failed step that no commit has counted: a resume counts them. *)
Orphans == IF run.status = "ended" THEN Size(journal) - run.journaled ELSE 0
NoReplyCountsTwice == replies.day + replies.lost <= replies.made
EveryReplyCounts ==
  Quiet /\ run.status # "deleted" =>
    /\ replies.day + replies.lost + Orphans = replies.made
    /\ Orphans > 0 => replies.crashes > 0
RunAndDayAgree == run.spent = replies.day \/ run.status = "deleted"
(* A reply is paid again only if its process died, or two tasks were at work; a failed single call, after a resume. *)
NoReplyIsPaidTwice ==
  replies.twice = 0 => replies.made <= Calls + replies.crashes + (IF Calls = 1 THEN run.resumes + faults ELSE 0)

--------------------------------------------------------------------------------
(* Holds *)

Reserved == 2
Used == 1
Total == 4
NoSlot == -1
Forever == 9
Resting == [pc |-> "rest", job |-> "none", at |-> 0]
HoldsInit ==
  (* `slot`: the time of its claim. `used`: by the last end of the run. `settled`: the ends whose use is in the ledger. *)
  /\ holds = [status |-> "none", completed |-> -1, used |-> 0, resumes |-> 0, now |-> 0,
              slot |-> NoSlot, free |-> Total, charged |-> 0, settled |-> {}]
  /\ requests = [c \in 1..2 |-> Resting]

AllRest == \A c \in 1..2: requests[c].pc = "rest"
Asks(c, request) == requests' = [requests EXCEPT ![c] = request]
(* The counters after the release of a claim up to `until`. A run pays once for each end. *)
Settled(h, used, until) ==
  LET pays == IF (until \in h.settled /\ Has("ledger asked")) \/ ~Has("use charged") THEN 0 ELSE used IN
  [h EXCEPT !.slot = NoSlot, !.free = @ + Reserved - pays, !.charged = @ + pays,
            !.settled = IF pays > 0 THEN @ \cup {until} ELSE @]
Released(h, used, until) == IF h.slot = NoSlot \/ h.slot > until THEN h ELSE Settled(h, used, until)

(* Copies of one request: each may find no run yet. *)
PostRun(c) ==
  /\ requests[c].pc = "rest" /\ holds.status = "none"
  /\ Asks(c, [pc |-> "claim", job |-> "create", at |-> holds.now])
  /\ UNCHANGED <<holds, faults>>
(* A resume releases what the failed end may have left, then claims by the present time. *)
PostResume(c) ==
  /\ AllRest /\ c = 1 /\ holds.status = "ended" /\ holds.used = 0 /\ holds.resumes < MaxResumes
  /\ holds' = Released(holds, 0, holds.completed)
  /\ Asks(c, [pc |-> "claim", job |-> "resume", at |-> holds.now])
  /\ UNCHANGED faults
CanReserve == (holds.slot = NoSlot \/ ~Has("claim once")) /\ holds.free >= Reserved
Claimed(h, at) == [h EXCEPT !.slot = at, !.free = @ - Reserved]
Claim(c) ==
  /\ requests[c].pc = "claim"
  /\ holds' = IF CanReserve THEN Claimed(holds, requests[c].at) ELSE holds
  /\ Asks(c, IF CanReserve \/ holds.slot # NoSlot THEN [requests[c] EXCEPT !.pc = "write"] ELSE Resting)
  /\ UNCHANGED faults
WriteRun(c) ==
  /\ requests[c].pc = "write"
  /\ IF (requests[c].job = "create" /\ holds.status = "none") \/ (requests[c].job = "resume" /\ holds.status = "ended")
     THEN /\ holds' = [holds EXCEPT !.status = "open",
                          !.resumes = IF requests[c].job = "resume" THEN @ + 1 ELSE @]
          /\ Asks(c, Resting)
     ELSE Asks(c, [requests[c] EXCEPT !.pc = "lost"]) /\ UNCHANGED holds
  /\ UNCHANGED faults
(* Another request was faster. A claim made after the end of its run is given back. *)
GiveBack(c) ==
  /\ requests[c].pc = "lost"
  /\ holds' = IF holds.status = "deleted" \/ (holds.status = "ended" /\ holds.slot > holds.completed)
              THEN Released(holds, 0, Forever) ELSE holds
  /\ Asks(c, Resting)
  /\ UNCHANGED faults
RequestDies(c) ==
  /\ requests[c].pc # "rest" /\ Fault
  /\ Asks(c, Resting)
  /\ UNCHANGED holds

EndRun ==
  /\ holds.status = "open"
  /\ \E used \in {0, Used}:
       holds' = [holds EXCEPT !.status = "ended", !.completed = holds.now, !.now = @ + 1, !.used = used]
  /\ UNCHANGED <<requests, faults>>
(* Releases the slot. Also by a task that was started again; a process that dies leaves it to the sweep. *)
Finalize ==
  /\ holds.status = "ended"
  /\ holds' = Released(holds, holds.used, holds.completed)
  /\ holds' # holds
  /\ UNCHANGED <<requests, faults>>
(* Releases its slot first: only the run says what it has used. *)
DeleteEnded ==
  /\ holds.status = "ended"
  /\ holds' = [Released(holds, holds.used, holds.completed) EXCEPT !.status = "deleted"]
  /\ UNCHANGED <<requests, faults>>

(* The sweep and creates that need room: slots of ended runs, and claims whose request is dead. *)
Reconcile ==
  /\ Has("reconciling") /\ holds.slot # NoSlot /\ holds.status # "open"
  /\ LET old == holds.slot <= holds.completed \/ ~Has("time of the claim")
         abandoned == AllRest \/ ~Has("patience")
     IN
     /\ IF holds.status = "ended" THEN old \/ abandoned ELSE abandoned
     /\ holds' = IF holds.slot <= holds.completed THEN Released(holds, holds.used, holds.completed)
                 ELSE Released(holds, 0, Forever)
  /\ UNCHANGED <<requests, faults>>

RequestActs(c) == Claim(c) \/ WriteRun(c) \/ GiveBack(c)
HoldsNext ==
  /\ \/ EndRun \/ Finalize \/ DeleteEnded \/ Reconcile
     \/ \E c \in 1..2: PostRun(c) \/ PostResume(c) \/ RequestActs(c) \/ RequestDies(c)
  /\ UNCHANGED <<run, tasks, journal, giver, replies>>

CreditsAddUp == holds.free + holds.charged + (IF holds.slot = NoSlot THEN 0 ELSE Reserved) = Total
RunsPayOnce == holds.charged <= Used
OpenRunsHaveSlots == holds.status = "open" => holds.slot # NoSlot
EndedRunsPay == holds.status = "ended" /\ holds.slot = NoSlot => holds.charged = holds.used
EveryHoldSettles == (holds.slot # NoSlot) ~> (holds.slot = NoSlot)

--------------------------------------------------------------------------------
Init == CallsInit /\ HoldsInit /\ TLCSet(1, {})
Next == (Part = "calls" /\ CallsNext) \/ (Part = "holds" /\ HoldsNext)
(* In the end every task and every request is done, every run ends, and the sweep looks. *)
Fair ==
  /\ WF_vars(HoldsNext /\ (EndRun \/ Reconcile))
  /\ \A c \in 1..2: WF_vars(HoldsNext /\ RequestActs(c))
Spec == Init /\ [][Next]_vars /\ Fair

(* States that the checker has to find. *)
Reached ==
  IF Part = "calls" THEN [
    two_tasks_ask |-> \A i \in Tasks: tasks[i].asked # 0 \/ tasks[i].waits,
    a_reply_dies_with_its_process |-> replies.lost > 0,
    a_reply_comes_after_a_commit_without_one |-> \E i \in Tasks: tasks[i].applied /\ tasks[i].direct > tasks[i].sent,
    a_reply_waits_for_a_resume |-> Quiet /\ Orphans > 0,
    a_commit_is_applied_without_a_reply |-> \E i \in Tasks: tasks[i].applied,
    a_reply_comes_after_the_end |-> run.status = "ended" /\ \E i \in Tasks: tasks[i].pc = "settling" /\ tasks[i].direct > 0,
    a_day_has_more_than_its_run |-> replies.day > run.spent]
  ELSE [
    a_claim_has_no_run |-> holds.status = "none" /\ holds.slot # NoSlot,
    a_claim_outlives_its_request |-> AllRest /\ holds.status = "none" /\ holds.slot # NoSlot,
    a_claim_comes_after_the_end |-> holds.status = "ended" /\ holds.slot > holds.completed,
    an_old_claim_comes_after_the_release |-> holds.completed \in holds.settled /\ holds.slot = holds.completed,
    a_resumed_run_ends |-> holds.resumes > 0 /\ holds.status = "ended",
    a_claim_outlives_a_deleted_run |-> holds.status = "deleted" /\ holds.slot # NoSlot]
Watch == \A p \in DOMAIN Reached: Reached[p] => FirstSeen(1, "reached", p)
================================================================================
