// Prints what kstatus, which Flux and kpt use, says about each object of a JSON list on standard input: one status a line.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

func main() {
	var objects []json.RawMessage
	if err := json.NewDecoder(os.Stdin).Decode(&objects); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, object := range objects {
		var read unstructured.Unstructured
		err := read.UnmarshalJSON(object)
		var result *status.Result
		if err == nil {
			result, err = status.Compute(&read)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(result.Status)
	}
}
