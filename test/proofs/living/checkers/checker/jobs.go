// The sequential specification of a job: one message ends it, or its run closes it, and nothing comes after. What its
// run does is no operation of a worker: any number of its steps may happen between two operations. Reads of the run
// that show its end, or that it is gone, are operations on its jobs, too.
package main

import (
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
)

const (
	unborn = "unborn"
	open   = "open"
	gone   = "gone"
)

var closings = []string{"canceled", "timed_out", "replaced"}

func isOfJob(one operation) bool {
	return strings.HasPrefix(one.Kind, "job ")
}

// The operations on each job, and the reads of its run.
func jobPartitions(operations []operation, parts map[string]*partition) {
	ofRun := map[string][]*partition{}
	for _, one := range operations {
		if !isOfJob(one) {
			continue
		}
		name := "job " + one.Job
		if parts[name] == nil {
			parts[name] = &partition{isJob: true}
			ofRun[one.Run] = append(ofRun[one.Run], parts[name])
		}
		ends := one.Kind == "job complete" || one.Kind == "job fail"
		if one.Outcome != "unknown" || ends {
			parts[name].add(one, one.Kind, one.Run, nil)
		}
	}
	for _, one := range operations {
		if isOfJob(one) || one.Outcome == "unknown" {
			continue
		}
		if one.Code == "run_not_found" {
			for _, part := range ofRun[one.Run] {
				part.add(one, "run absent", one.Run, nil)
			}
		}
		for _, seen := range one.Seen {
			if !slices.Contains([]string{"succeeded", "failed", "canceled"}, seen.Status) {
				continue
			}
			for _, part := range ofRun[seen.Run] {
				part.add(one, "run over", seen.Run, nil)
			}
		}
	}
}

// The states that a job may have reached from this one without a message.
func progressedJob(from string) []string {
	switch from {
	case unborn:
		return append([]string{unborn, open, gone}, closings...)
	case open:
		return append([]string{open, gone}, closings...)
	}
	return []string{from, gone}
}

func afterOnJob(s string, one step) []string {
	fits := true
	after := s
	isOver := s != unborn && s != open && s != gone
	switch {
	case one.about == "run over":
		fits = s != open && s != gone
	case one.about == "run absent":
		fits = s == gone || s == unborn
	case one.Outcome == "unknown":
		if s == open {
			return []string{s, endOf(one)}
		}
	case one.Code == "job_not_found":
		fits = s == gone
	case one.Code == "job_over":
		fits = isOver && s == one.Found
	case one.Outcome == "fail":
		// It does not hold, which says nothing of the job.
	case one.about == "job get":
		fits = s == one.Found
	case one.about == "job items" || one.about == "job progress":
		fits = s == open
	case one.Accepted:
		fits = s == open
		after = endOf(one)
	default:
		fits = s == endOf(one)
	}
	if !fits {
		return nil
	}
	return []string{after}
}

func endOf(one step) string {
	if one.about == "job complete" {
		return "completed"
	}
	return "failed"
}

func jobModel() porcupine.Model {
	model := porcupine.NondeterministicModel{
		Init: func() []interface{} { return []interface{}{unborn} },
		Step: func(before, input, _ interface{}) []interface{} {
			var after []interface{}
			for _, s := range progressedJob(before.(string)) {
				for _, next := range afterOnJob(s, input.(step)) {
					if !slices.Contains(after, interface{}(next)) {
						after = append(after, next)
					}
				}
			}
			return after
		},
		DescribeOperation: func(input, _ interface{}) string {
			one := input.(step)
			return strings.Join([]string{one.about, one.Outcome, one.Code, one.Found}, " ")
		},
		DescribeState: func(s interface{}) string { return s.(string) },
	}
	return model.ToModel()
}
