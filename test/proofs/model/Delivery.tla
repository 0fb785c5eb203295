-------------------------------- MODULE Delivery --------------------------------
(*
The webhook of one end of a run: its row in the table, its messages in the queue, and the invocations that post it.

What stands for what:
- The queue gives a message to an invocation again until one of them is done with it, also while another works on it.
- A claim is valid until its time is over, which is longer than an invocation lives: only a dead one loses its claim.
- The receiver answers 2xx, an answer to try again, or a final one.
- Faults are finite: an invocation or a request dies between two calls, a write gets no reply, a message goes to the
  dead letters.

`Without` names one protection that is taken out; with "nothing" the model is the code.
*)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS MaxInvocations, Attempts, MaxRedeliveries, MaxFaults, Without

VARIABLES run, row, messages, invocations, redeliveries, finishing, faults, history
vars == <<run, row, messages, invocations, redeliveries, finishing, faults, history>>

Invocations == 1..MaxInvocations
Numbers == 1..(Attempts + MaxRedeliveries)
(* Prints a value when it comes for the first time. Always true. *)
FirstSeen(register, what, value) ==
  IF value \in TLCGet(register) THEN TRUE
  ELSE PrintT(<<what, value>>) /\ TLCSet(register, TLCGet(register) \cup {value})
Has(protection) == Without # protection
Absent == [status |-> "absent", next |-> 1, last |-> 0, claimed |-> 0, due |-> FALSE]
Free == [pc |-> "free", attempt |-> 0, outcome |-> "none"]

Init ==
  /\ run = "running"
  /\ row = Absent
  /\ messages = {}
  /\ invocations = [i \in Invocations |-> Free]
  /\ redeliveries = 0
  (* What a process has still to do after its transaction: write the row, send a message. *)
  /\ finishing = {}
  /\ faults = 0
  /\ TLCSet(1, {})
  /\ history = [posts |-> [n \in Numbers |-> 0], recorded |-> [n \in Numbers |-> 0], repeats |-> 0]

Fault == faults < MaxFaults /\ faults' = faults + 1
Pending == [status |-> "pending", next |-> 1, last |-> Attempts, claimed |-> 0, due |-> TRUE]

--------------------------------------------------------------------------------

(* The commit that ends the run makes the delivery due; then its message is sent. *)
RunEnds ==
  /\ run = "running" /\ run' = "ended"
  /\ row' = IF Has("row in the commit") THEN Pending ELSE row
  /\ finishing' = {[what |-> IF Has("row in the commit") THEN "send" ELSE "write", attempt |-> 1]}
  /\ UNCHANGED <<messages, invocations, redeliveries, faults, history>>
Finish(task) ==
  /\ task \in finishing
  /\ IF task.what = "send"
     THEN /\ messages' = messages \cup {task.attempt} /\ finishing' = finishing \ {task}
          /\ UNCHANGED row
     ELSE /\ row' = Pending /\ finishing' = (finishing \ {task}) \cup {[what |-> "send", attempt |-> 1]}
          /\ UNCHANGED messages
  /\ UNCHANGED <<run, invocations, redeliveries, faults, history>>
FinishDies(task) ==
  /\ task \in finishing /\ Fault
  /\ finishing' = finishing \ {task}
  /\ UNCHANGED <<run, row, messages, invocations, redeliveries, history>>

Delete ==
  /\ run = "ended" /\ run' = "deleted"
  /\ row' = Absent
  /\ UNCHANGED <<messages, invocations, redeliveries, finishing, faults, history>>

(* One more attempt, also of a delivered one. A pending delivery is not changed. *)
Redeliver ==
  /\ row.status \in {"delivered", "failed"} /\ redeliveries < MaxRedeliveries
  /\ redeliveries' = redeliveries + 1
  /\ row' = [row EXCEPT !.status = "pending", !.last = row.next, !.due = Has("due again")]
  /\ finishing' = finishing \cup {[what |-> "send", attempt |-> row.next]}
  /\ UNCHANGED <<run, messages, invocations, faults, history>>

--------------------------------------------------------------------------------
(* One attempt *)

CanClaim(n) ==
  /\ row.status = "pending" \/ (~Has("pending only") /\ row.status \in {"delivered", "failed"})
  /\ row.next = n \/ ((~Has("pending only") \/ ~Has("next attempt only")) /\ row.next > n)
  /\ row.claimed = 0 \/ ~Has("claim")
Claim(i, n) ==
  /\ invocations[i].pc = "free" /\ \A k \in 1..i - 1: invocations[k].pc # "free"
  /\ n \in messages /\ CanClaim(n)
  /\ row' = [row EXCEPT !.claimed = i]
  /\ invocations' = [invocations EXCEPT ![i] = [Free EXCEPT !.pc = "claimed", !.attempt = n]]
  /\ UNCHANGED <<run, messages, redeliveries, finishing, faults, history>>
(* The attempt was made, or its run is deleted: the message is done. Otherwise it stays. *)
Pass(n) ==
  /\ n \in messages /\ ~CanClaim(n)
  /\ run = "deleted" \/ (row.status # "absent" /\ (row.status # "pending" \/ row.next > n))
  /\ messages' = messages \ {n}
  /\ UNCHANGED <<run, row, invocations, redeliveries, finishing, faults, history>>
Post(i) ==
  /\ invocations[i].pc = "claimed"
  /\ \E outcome \in {"delivered", "again", "failed"}:
       invocations' = [invocations EXCEPT ![i].pc = "posted", ![i].outcome = outcome]
  /\ history' = [history EXCEPT !.posts[invocations[i].attempt] = IF @ < MaxFaults + 2 THEN @ + 1 ELSE @]
  /\ UNCHANGED <<run, row, messages, redeliveries, finishing, faults>>
(* Records the attempt unless it was recorded before, and says what is next. *)
Record(i) ==
  /\ invocations[i].pc \in {"posted", "repeat"}
  /\ LET n == invocations[i].attempt
         outcome == invocations[i].outcome
         goes_on == outcome = "again" /\ (n < row.last \/ (~Has("last attempt") /\ n + 1 \in Numbers))
         is_first == row.status = "pending" /\ (row.next = n \/ ~Has("recorded once"))
     IN
     IF ~is_first
     THEN /\ invocations' = [invocations EXCEPT ![i] = [Free EXCEPT !.pc = "done", !.attempt = n]]
          /\ UNCHANGED <<row, history, faults>>
     ELSE /\ row' = [row EXCEPT !.next = n + 1, !.claimed = 0,
                       !.status = IF goes_on THEN "pending" ELSE IF outcome = "delivered" THEN outcome ELSE "failed",
                       !.due = goes_on]
          /\ history' = [history EXCEPT !.recorded[n] = @ + 1]
          /\ \/ /\ invocations' = [invocations EXCEPT ![i] =
                       [Free EXCEPT !.pc = IF goes_on THEN "send" ELSE "done", !.attempt = n]]
                /\ UNCHANGED faults
             (* The reply is lost, and the write is made again. *)
             \/ Fault /\ invocations' = [invocations EXCEPT ![i].pc = "repeat"]
  /\ UNCHANGED <<run, messages, redeliveries, finishing>>
SendNext(i) ==
  /\ invocations[i].pc = "send"
  /\ messages' = messages \cup {invocations[i].attempt + 1}
  /\ invocations' = [invocations EXCEPT ![i].pc = "done"]
  /\ UNCHANGED <<run, row, redeliveries, finishing, faults, history>>
Done(i) ==
  /\ invocations[i].pc = "done"
  /\ messages' = messages \ {invocations[i].attempt}
  /\ invocations' = [invocations EXCEPT ![i] = Free]
  /\ UNCHANGED <<run, row, redeliveries, finishing, faults, history>>
Crash(i) ==
  /\ invocations[i].pc # "free" /\ Fault
  /\ invocations' = [invocations EXCEPT ![i] = Free]
  /\ history' = [history EXCEPT !.repeats = @ + 1]
  /\ UNCHANGED <<run, row, messages, redeliveries, finishing>>
(* The claim of a dead invocation ends by its time. *)
ClaimEnds ==
  /\ row.claimed # 0
  /\ invocations[row.claimed].pc \notin {"claimed", "posted"}
  /\ row' = [row EXCEPT !.claimed = 0]
  /\ UNCHANGED <<run, messages, invocations, redeliveries, finishing, faults, history>>
DeadLetter(n) ==
  /\ n \in messages /\ Fault
  /\ messages' = messages \ {n}
  /\ UNCHANGED <<run, row, invocations, redeliveries, finishing, history>>

(* The sweep sends the message of what is due again. *)
Resend ==
  /\ Has("sweep") /\ row.status = "pending" /\ row.due /\ row.next \notin messages
  /\ messages' = messages \cup {row.next}
  /\ UNCHANGED <<run, row, invocations, redeliveries, finishing, faults, history>>

Acts(i) == Post(i) \/ Record(i) \/ SendNext(i) \/ Done(i) \/ \E n \in Numbers: Claim(i, n)
Next ==
  \/ RunEnds \/ Delete \/ Redeliver \/ ClaimEnds \/ Resend
  \/ \E task \in finishing: Finish(task) \/ FinishDies(task)
  \/ \E n \in Numbers: Pass(n) \/ DeadLetter(n)
  \/ \E i \in Invocations: Acts(i) \/ Crash(i)
Fair ==
  /\ WF_vars(ClaimEnds) /\ WF_vars(Resend)
  /\ WF_vars(\E n \in Numbers: Pass(n))
  /\ \A i \in Invocations: WF_vars(Acts(i))
Spec == Init /\ [][Next]_vars /\ Fair

--------------------------------------------------------------------------------
(* Promises: what always holds *)

NoEndIsForgotten == run = "ended" => row.status # "absent"
AttemptsAreRecordedOnce == \A n \in Numbers: history.recorded[n] <= 1
OneInvocationPosts == Cardinality({i \in Invocations: invocations[i].pc \in {"claimed", "posted"}}) <= 1
AttemptsRepeatOnlyAfterCrashes == \A n \in Numbers: history.posts[n] <= 1 + history.repeats
PendingDeliveriesAreDue == row.status = "pending" => row.due
AttemptsAreBounded == row.next <= Attempts + redeliveries + 1

(* Promises: what no action does *)
(* Nothing but a redelivery reopens a delivery that is over. *)
OverIsOver ==
  [][row.status \in {"delivered", "failed"} /\ row' # row =>
       run' = "deleted" \/ (row'.status = "pending" /\ redeliveries' = redeliveries + 1)]_vars

(* Promises: what happens in the end *)
EveryDeliveryEnds == (row.status = "pending") ~> (row.status # "pending")

(* States that the checker has to find. *)
Reached == [
  an_attempt_is_posted_twice |-> \E n \in Numbers: history.posts[n] > 1,
  every_attempt_fails |-> row.status = "failed" /\ row.next = Attempts + 1,
  a_delivered_one_is_delivered_again |-> row.status = "delivered" /\ redeliveries > 0 /\ row.next > 2,
  a_message_is_lost |-> row.status = "pending" /\ messages = {} /\ finishing = {} /\ \A i \in Invocations: invocations[i].pc = "free",
  a_run_is_deleted_under_its_attempt |-> row.status = "absent" /\ run = "deleted" /\ \E i \in Invocations: invocations[i].pc = "posted",
  a_message_meets_another_claim |-> row.claimed # 0 /\ row.next \in messages /\ invocations[row.claimed].pc = "posted",
  a_late_message_names_a_past_attempt |-> \E n \in messages: n < row.next]
Watch == \A p \in DOMAIN Reached: Reached[p] => FirstSeen(1, "reached", p)
================================================================================
