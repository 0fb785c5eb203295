// What the recorder writes, and its parts: the runs of one idempotency key, one after the other, are one object, and so
// is each job.
package main

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/anishathalye/porcupine"
)

// A run as an envelope shows it.
type envelope struct {
	Run    string `json:"run"`
	Key    string `json:"key"`
	Status string `json:"status"`
	// Steps that are completed or skipped.
	Done int `json:"done"`
}

type event struct {
	Sequence int    `json:"sequence"`
	Type     string `json:"type"`
}

// An operation as its client saw it: ok, fail (it changed nothing), or unknown.
type operation struct {
	Client  int    `json:"client"`
	Kind    string `json:"kind"`
	Run     string `json:"run"`
	Job     string `json:"job"`
	Key     string `json:"key"`
	Body    string `json:"body"`
	Call    int64  `json:"call"`
	Return  int64  `json:"return"`
	Outcome string `json:"outcome"`
	// What the answer says.
	Status    int        `json:"status"`
	Code      string     `json:"code"`
	Reason    string     `json:"reason"`
	Found     string     `json:"found"`
	Original  string     `json:"original"`
	Accepted  bool       `json:"accepted"`
	Replayed  bool       `json:"replayed"`
	Seen      []envelope `json:"seen"`
	Log       []event    `json:"log"`
	Ends      int        `json:"ends"`
	Delivered int        `json:"delivered"`
}

// One operation on the runs of a key. `about` is the part of an operation that concerns this key: a rerun also reads
// its source, and a list reads every run.
type step struct {
	operation
	about string
	run   int
	seen  *envelope
}

type partition struct {
	ids        []string
	operations []porcupine.Operation
	isJob      bool
}

const never = math.MaxInt64

func (p *partition) numberOf(run string) int {
	if number := slices.Index(p.ids, run); number >= 0 || run == "" {
		return number
	}
	p.ids = append(p.ids, run)
	return len(p.ids) - 1
}

func (p *partition) add(one operation, about string, run string, seen *envelope) {
	end := one.Return
	if one.Outcome == "unknown" {
		end = never
	}
	input := step{operation: one, about: about, run: p.numberOf(run), seen: seen}
	p.operations = append(p.operations,
		porcupine.Operation{ClientId: one.Client, Input: input, Call: one.Call, Return: end})
}

// Whose run is whose: by the answers to creates and reruns, else by the key in the metadata of a run.
func keysOf(operations []operation) map[string]string {
	keys := map[string]string{}
	for _, one := range operations {
		for _, seen := range one.Seen {
			if one.Key != "" {
				keys[seen.Run] = one.Key
			} else if keys[seen.Run] == "" && seen.Key != "" {
				keys[seen.Run] = seen.Key
			}
		}
		if one.Original != "" {
			keys[one.Original] = one.Key
		}
	}
	// Made by a request whose answer was lost, and whose key nobody sent again.
	for _, one := range operations {
		for _, seen := range one.Seen {
			if keys[seen.Run] == "" {
				keys[seen.Run] = "of " + seen.Run
			}
		}
	}
	return keys
}

func partitions(operations []operation) map[string]*partition {
	keys := keysOf(operations)
	parts := map[string]*partition{}
	part := func(key string) *partition {
		if parts[key] == nil {
			parts[key] = &partition{}
		}
		return parts[key]
	}
	// First, since an unknown create may have made any run of its key.
	for run, key := range keys {
		part(key).numberOf(run)
		if key == "of "+run {
			part(key).add(operation{Kind: "create", Outcome: "unknown"}, "create", "", nil)
		}
	}
	for _, one := range operations {
		if !isOfJob(one) {
			addTo(part, keys, one)
		}
	}
	jobPartitions(operations, parts)
	return parts
}

func addTo(part func(string) *partition, keys map[string]string, one operation) {
	writes := slices.Contains([]string{"create", "rerun", "cancel", "resume", "delete"}, one.Kind)
	if one.Outcome == "unknown" && !writes {
		return
	}
	source := keys[one.Run]
	switch one.Kind {
	case "list":
		for run, key := range keys {
			part(key).add(one, "read", run, seenOf(one, run))
		}
	case "create", "rerun":
		if source != "" && one.Outcome != "unknown" {
			part(source).add(one, "source", one.Run, nil)
		}
		if one.Outcome != "fail" {
			part(one.Key).add(one, "create", firstOf(one), seenOf(one, firstOf(one)))
		} else if one.Original != "" {
			part(one.Key).add(one, "conflict", one.Original, nil)
		}
	default:
		if source != "" {
			part(source).add(one, one.Kind, one.Run, seenOf(one, one.Run))
		}
	}
}

// What a read found; empty for a write. Refusals that say how the run is are reads.
func (one step) finding() string {
	switch {
	case one.Outcome == "unknown" || one.about == "create" && !one.Replayed:
		return ""
	case one.about == "run over":
		return "over"
	case one.isAbsence():
		return fmt.Sprint("absent ", one.run)
	case one.Outcome == "fail":
		return fmt.Sprint(one.about, one.run, one.Code, one.Reason, one.Found, one.Body)
	case one.about == "events":
		return fmt.Sprint("log ", one.run, len(one.Log))
	case one.about == "deliveries":
		return fmt.Sprint("deliveries ", one.run, one.Ends, one.Delivered)
	case one.about == "get" || one.about == "read":
		return fmt.Sprint("shown ", one.run, *one.seen)
	case isOfJob(one.operation) && !one.Accepted:
		return fmt.Sprint(one.about, one.Found)
	case one.about == "create":
		return fmt.Sprint("replayed ", one.run, one.Body, *one.seen)
	case one.about == "source":
		return fmt.Sprint("source ", one.run, one.Replayed)
	}
	return ""
}

func (one step) isAbsence() bool {
	return one.Code == "run_not_found" || one.about == "read" && one.seen == nil
}

// Without the reads that a shorter one within their time implies: they may happen right after it. The search takes time
// that is exponential in the operations at once.
func withoutImplied(operations []porcupine.Operation) []porcupine.Operation {
	groups := map[string][]porcupine.Operation{}
	var rest []porcupine.Operation
	for _, one := range operations {
		if finding := one.Input.(step).finding(); finding != "" {
			groups[finding] = append(groups[finding], one)
		} else {
			rest = append(rest, one)
		}
	}
	for _, group := range groups {
		sort.SliceStable(group, func(i, j int) bool { return group[i].Return < group[j].Return })
		latest := int64(-1)
		// Every earlier one ends before, so it is within when it begins later.
		for _, one := range group {
			if one.Call > latest {
				rest = append(rest, one)
				latest = one.Call
			}
		}
	}
	return rest
}

// How far the run was that an answer shows, and whether it shows one: the creation first, the end last.
func (one step) progress() (int, bool) {
	switch {
	case one.about == "create" && one.Outcome == "ok" && !one.Replayed:
		return -1, true
	case one.seen == nil:
		return 0, false
	case one.seen.Status == "pending":
		return 0, true
	case one.seen.Status == "running" || one.seen.Status == "paused":
		return 1 + one.seen.Done, true
	}
	return math.MaxInt, true
}

// The same operations, where what shows more progress begins after what shows less, if it has not ended by then. Times
// only shrink, so every order of these is an order of the real ones; and the search tries what begins first.
func byProgress(operations []porcupine.Operation) []porcupine.Operation {
	ordered := slices.Clone(operations)
	far := func(one porcupine.Operation) int {
		progress, _ := one.Input.(step).progress()
		return progress
	}
	sort.SliceStable(ordered, func(i, j int) bool { return far(ordered[i]) < far(ordered[j]) })
	for i := range ordered {
		later := &ordered[i]
		if _, shows := later.Input.(step).progress(); !shows {
			continue
		}
		for _, earlier := range ordered[:i] {
			_, shows := earlier.Input.(step).progress()
			if shows && far(earlier) < far(*later) && earlier.Call >= later.Call && earlier.Call+1 < later.Return {
				later.Call = earlier.Call + 1
			}
		}
	}
	return ordered
}

func firstOf(one operation) string {
	if len(one.Seen) == 0 {
		return ""
	}
	return one.Seen[0].Run
}

func seenOf(one operation, run string) *envelope {
	for i := range one.Seen {
		if one.Seen[i].Run == run {
			return &one.Seen[i]
		}
	}
	return nil
}

// Logs that are no prefix of the longest one that was read of their run: it is dense, and nothing in it changes.
func brokenLogs(file string, operations []operation) []string {
	longest := map[string][]event{}
	for _, one := range operations {
		if len(one.Log) > len(longest[one.Run]) {
			longest[one.Run] = one.Log
		}
	}
	var broken []string
	for _, one := range operations {
		for i, event := range one.Log {
			if event != longest[one.Run][i] || event.Sequence != i+1 {
				broken = append(broken, fmt.Sprintf("%s: event %d of run %s is %v", file, i+1, one.Run, event))
				break
			}
		}
	}
	return broken
}
