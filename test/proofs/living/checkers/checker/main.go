// Judges histories of clients: every file is one history, every run and every job in it must be linearizable. Prints one
// JSON object; exit code 1 on a breach, 2 where a file cannot be read.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// What takes longer is not decided, which counts as a breach.
const patience = 10 * time.Second

type verdict struct {
	Histories  int      `json:"histories"`
	Operations int      `json:"operations"`
	Judged     int      `json:"judged"`
	Partitions int      `json:"partitions"`
	Breaches   []string `json:"breaches"`
}

func main() {
	found := verdict{Breaches: []string{}}
	for _, file := range os.Args[1:] {
		operations, err := readHistory(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		found.Histories++
		found.Operations += len(operations)
		judge(file, operations, &found)
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		os.Exit(2)
	}
	if len(found.Breaches) > 0 {
		os.Exit(1)
	}
}

func readHistory(file string) ([]operation, error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	lines := bufio.NewScanner(opened)
	lines.Buffer(nil, 64<<20)
	var operations []operation
	for lines.Scan() {
		var one operation
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		operations = append(operations, one)
	}
	return operations, lines.Err()
}

func judge(file string, operations []operation, found *verdict) {
	found.Breaches = append(found.Breaches, brokenLogs(file, operations)...)
	for key, part := range partitions(operations) {
		found.Partitions++
		found.Judged += len(part.operations)
		model := part.model()
		all := withoutImplied(part.operations)
		if porcupine.CheckOperationsTimeout(model, byProgress(all), patience) == porcupine.Ok ||
			porcupine.CheckOperationsTimeout(model, all, patience) == porcupine.Ok {
			continue
		}
		few := culprits(model, all)
		what := "are not linearizable"
		if few == nil {
			few, what = all, "are not decided in time"
		}
		_, info := porcupine.CheckOperationsVerbose(model, few, patience)
		picture := fmt.Sprintf("%s.%d.html", file, len(found.Breaches))
		if err := porcupine.VisualizePath(model, info, picture); err != nil {
			picture = err.Error()
		}
		found.Breaches = append(found.Breaches, fmt.Sprintf("%s: what is of %q %s: %s", file, key, what, picture))
	}
}

// The writes and the fewest reads that contradict each other: a refusal takes time that is exponential in the operations
// at once, and few are easier to read.
func culprits(model porcupine.Model, all []porcupine.Operation) []porcupine.Operation {
	var writes, reads []porcupine.Operation
	for _, one := range all {
		if one.Input.(step).finding() == "" {
			writes = append(writes, one)
		} else {
			reads = append(reads, one)
		}
	}
	contradict := func(chosen ...porcupine.Operation) []porcupine.Operation {
		few := slices.Concat(writes, chosen)
		if porcupine.CheckOperationsTimeout(model, few, patience) == porcupine.Illegal {
			return few
		}
		return nil
	}
	if few := contradict(); few != nil {
		return few
	}
	for _, one := range reads {
		if few := contradict(one); few != nil {
			return few
		}
	}
	for i, one := range reads {
		for _, other := range reads[i+1:] {
			if few := contradict(one, other); few != nil {
				return few
			}
		}
	}
	return contradict(reads...)
}
