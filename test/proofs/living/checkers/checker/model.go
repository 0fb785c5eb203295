// The sequential specification of the runs of one key. The engine's own progress is no operation of a client: any
// number of its steps may happen between two operations.
package main

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

const none = -1

type state struct {
	// The run that the key stands for, and those that were deleted, as bits.
	run  int
	gone uint64
	body string

	status string
	// Canceled while a step was running: the log is not finished.
	open bool
	// At least so many steps are done, and so many webhooks delivered.
	done      int
	delivered int
	// The events of the log when it was last read; whether it has grown since.
	log   int
	grown bool
	// How often the run has failed.
	fails int
}

func (s state) isEnded() bool {
	return s.status == "succeeded" || s.status == "failed" || s.status == "canceled"
}

func (s state) with(status string) state {
	s.status = status
	s.grown = true
	return s
}

// The states that the engine may have reached from these by itself.
func progressed(from state) []state {
	reached := []state{from}
	known := map[state]bool{from: true}
	for i := 0; i < len(reached); i++ {
		for _, next := range ownSteps(reached[i]) {
			if !known[next] {
				known[next] = true
				reached = append(reached, next)
			}
		}
	}
	return reached
}

func ownSteps(s state) []state {
	if s.run == none {
		return nil
	}
	failed := s.with("failed")
	failed.fails++
	switch {
	case s.status == "pending":
		// The first commit of an execution may already report its end.
		return []state{s.with("running"), s.with("succeeded"), failed}
	case s.status == "running":
		return []state{s.with("running"), s.with("succeeded"), failed}
	case s.open:
		closed := s.with("canceled")
		closed.open = false
		return []state{s.with("canceled"), closed}
	}
	return nil
}

func (p *partition) created(s state, run int, body string) []state {
	if s.run != none || s.gone&(1<<run) != 0 {
		return nil
	}
	return []state{{run: run, gone: s.gone, body: body, status: "pending", grown: true}}
}

func canceled(s state) state {
	if s.isEnded() {
		return s
	}
	open := s.status == "running"
	after := s
	after.status = "canceled"
	after.open = open
	after.grown = s.grown || !open
	return after
}

func resumed(s state) []state {
	if s.status != "failed" {
		return nil
	}
	s.status = "pending"
	return []state{s}
}

func deleted(s state) []state {
	if !s.isEnded() || s.open {
		return nil
	}
	return []state{{run: none, gone: s.gone | 1<<s.run}}
}

// The state after an envelope was seen in it, if it fits.
func shown(s state, seen *envelope) []state {
	if seen == nil || seen.Status != s.status || seen.Done < s.done {
		return nil
	}
	s.done = seen.Done
	return []state{s}
}

// The state after its log was read, if it fits (rules.md: events 1, states 2).
func logShown(s state, log []event) []state {
	length, fails := len(log), 0
	for _, event := range log {
		if event.Type == "run.failed" {
			fails++
		}
	}
	if length == 0 || fails != s.fails || length < s.log || (length > s.log) != s.grown {
		return nil
	}
	fits := false
	switch log[length-1].Type {
	case "run.created":
		fits = s.status == "pending"
	case "run.succeeded":
		fits = s.status == "succeeded"
	case "run.failed":
		fits = s.status == "failed" || s.status == "pending"
	case "run.canceled":
		fits = s.status == "canceled" && !s.open
	default:
		fits = s.status == "running" || s.open
	}
	if !fits {
		return nil
	}
	s.log = length
	s.grown = false
	return []state{s}
}

// Every run whose deliveries are read has a callback.
func deliveriesShown(s state, one operation) []state {
	ends := s.fails
	if s.status == "succeeded" {
		ends++
	}
	if one.Ends != ends || one.Delivered < s.delivered {
		return nil
	}
	s.delivered = one.Delivered
	return []state{s}
}

func when(holds bool, s state) []state {
	if holds {
		return []state{s}
	}
	return nil
}

func (p *partition) after(s state, one step) []state {
	if one.about == "create" {
		return p.afterCreate(s, one)
	}
	if one.isAbsence() {
		return when(s.run != one.run, s)
	}
	if one.Outcome == "unknown" {
		return append(p.afterWrite(s, one), s)
	}
	if s.run != one.run {
		// Other refusals do not say that the run exists.
		return when(one.Outcome == "fail" && one.Found == "" && one.about != "conflict", s)
	}
	if one.about == "conflict" {
		return when(s.body != one.Body, s)
	}
	if one.about == "source" {
		fits := one.Replayed || s.isEnded()
		if one.Outcome == "fail" {
			fits = one.Found == "" || one.Found == s.status && !s.isEnded()
		}
		return when(fits, s)
	}
	if one.Outcome == "fail" {
		return when(refused(s, one), s)
	}
	switch one.about {
	case "get", "read":
		return shown(s, one.seen)
	case "events":
		return logShown(s, one.Log)
	case "deliveries":
		return deliveriesShown(s, one.operation)
	}
	var after []state
	for _, next := range p.afterWrite(s, one) {
		if one.about == "delete" {
			after = append(after, next)
		} else {
			after = append(after, shown(next, one.seen)...)
		}
	}
	return after
}

// Whether a refusal says what is so. Others, such as too little capacity, say nothing of the run.
func refused(s state, one step) bool {
	switch one.Code {
	case "run_not_resumable":
		return s.status == one.Found && (s.status != "failed" || one.Reason == "no_saved_plan")
	case "run_not_terminal":
		return s.status == one.Found && (!s.isEnded() || s.open)
	}
	return true
}

func (p *partition) afterCreate(s state, one step) []state {
	if one.Outcome != "unknown" {
		if one.Replayed {
			if s.run != one.run || s.body != one.Body {
				return nil
			}
			return shown(s, one.seen)
		}
		var after []state
		for _, next := range p.created(s, one.run, one.Body) {
			after = append(after, shown(next, one.seen)...)
		}
		return after
	}
	// It happened as a whole, and made one of the runs that were seen later or one that was not, or it did not happen.
	after := []state{s}
	for run := 0; run <= len(p.ids); run++ {
		after = append(after, p.created(s, run, one.Body)...)
	}
	return after
}

func (p *partition) afterWrite(s state, one step) []state {
	if s.run != one.run {
		return nil
	}
	switch one.about {
	case "cancel":
		return []state{canceled(s)}
	case "resume":
		return resumed(s)
	case "delete":
		return deleted(s)
	}
	return nil
}

func (p *partition) model() porcupine.Model {
	if p.isJob {
		return jobModel()
	}
	model := porcupine.NondeterministicModel{
		Init: func() []interface{} { return []interface{}{state{run: none}} },
		Step: func(before, input, _ interface{}) []interface{} {
			var after []interface{}
			for _, s := range progressed(before.(state)) {
				for _, next := range p.after(s, input.(step)) {
					after = append(after, next)
				}
			}
			return after
		},
		DescribeOperation: func(input, _ interface{}) string {
			one := input.(step)
			text := fmt.Sprintf("%s %d %s: %s %d %s", one.Kind, one.run, one.Body, one.Outcome, one.Status, one.Code)
			if one.seen != nil {
				text += fmt.Sprintf(" %s, %d done", one.seen.Status, one.seen.Done)
			}
			if len(one.Log) > 0 {
				text += fmt.Sprintf(" %d events, last %s", len(one.Log), one.Log[len(one.Log)-1].Type)
			}
			return text
		},
		DescribeState: func(s interface{}) string { return fmt.Sprintf("%+v", s) },
	}
	return model.ToModel()
}
