// Stores a workflow, starts it, follows its events to the end, and shows how to act on errors.
//
// KEY is an API key; WORKFLOWS and EXECUTIONS are the addresses of the two services.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	executions "weft.example/sample/weft/executions/v1"
	workflows "weft.example/sample/weft/workflows/v1"
)

const definition = `{
	"name": "from the Go sample",
	"nodes": [
		{"name": "Start", "type": "weft-nodes-base.manualTrigger"},
		{"name": "Double", "type": "weft-nodes-base.code", "typeVersion": 2,
		 "parameters": {"jsCode": "return [{ json: { n: 2 * $input.first().json.n } }]"}}
	],
	"connections": {"Start": {"main": [[{"node": "Double"}]]}}
}`

// withKey adds the API key to a call, and a deadline.
func withKey(limit time.Duration) (context.Context, context.CancelFunc) {
	ctx := metadata.AppendToOutgoingContext(context.Background(), "x-svc-api-key", os.Getenv("KEY"))
	return context.WithTimeout(ctx, limit)
}

// errorInfo returns the ErrorInfo of a failed call; nil if the error comes from the transport, not from Weft.
func errorInfo(err error) *errdetails.ErrorInfo {
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			return info
		}
	}
	return nil
}

// start starts a run once, however often the call is sent. An error of the transport leaves the outcome open.
func start(client executions.ExecutionServiceClient, workflowID, key string) (*executions.StartedExecution, error) {
	request := &executions.StartExecutionRequest{Start: &executions.ExecutionStart{
		WorkflowId:     workflowID,
		Input:          []byte(`{"n": 21}`),
		IdempotencyKey: key,
	}}
	for attempt := 0; ; attempt++ {
		ctx, cancel := withKey(30 * time.Second)
		response, err := client.StartExecution(ctx, request)
		cancel()
		if err == nil {
			return response.Started, nil
		}
		if status.Code(err) != codes.Unavailable || attempt == 4 {
			return nil, err
		}
		time.Sleep(200 * time.Millisecond << attempt)
	}
}

// follow calls a function with the events of a run, to the last one. A stream ends after 50 s, or with its connection:
// it continues after the last event that arrived.
func follow(client executions.EventServiceClient, executionID string, see func(*executions.Event)) error {
	after := uint32(0)
	for {
		isOver, err := followOnce(client, executionID, &after, see)
		if isOver {
			return nil
		}
		if code := status.Code(err); err != nil && code != codes.Unavailable && code != codes.DeadlineExceeded {
			return err
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func followOnce(
	client executions.EventServiceClient, executionID string, after *uint32, see func(*executions.Event),
) (bool, error) {
	ctx, cancel := withKey(time.Minute)
	defer cancel()
	request := &executions.StreamEventsRequest{ExecutionId: executionID, AfterSequence: *after}
	stream, err := client.StreamEvents(ctx, request)
	if err != nil {
		return false, err
	}
	for {
		response, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		switch frame := response.Frame.(type) {
		case *executions.StreamEventsResponse_Event:
			*after = frame.Event.Sequence
			see(frame.Event)
		case *executions.StreamEventsResponse_End:
			return frame.End != executions.StreamEnd_STREAM_END_TIME_LIMIT, nil
		}
	}
}

// result reads the data of a run, and returns the number in the first item of a node.
func result(client executions.ExecutionServiceClient, executionID, node string) (float64, error) {
	ctx, cancel := withKey(30 * time.Second)
	defer cancel()
	stream, err := client.ReadExecutionData(ctx, &executions.ReadExecutionDataRequest{ExecutionId: executionID})
	if err != nil {
		return 0, err
	}
	var text []byte
	for {
		part, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, err
		}
		text = append(text, part.JsonPart...)
	}
	type item struct{ JSON struct{ N float64 } }
	var data struct {
		ResultData struct {
			RunData map[string][]struct{ Data struct{ Main [][]item } }
		}
	}
	if err := json.Unmarshal(text, &data); err != nil {
		return 0, err
	}
	return data.ResultData.RunData[node][0].Data.Main[0][0].JSON.N, nil
}

func connect(variable, address string) (*grpc.ClientConn, error) {
	if given := os.Getenv(variable); given != "" {
		address = given
	}
	return grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
}

func run() error {
	toWorkflows, err := connect("WORKFLOWS", "127.0.0.1:7001")
	if err != nil {
		return err
	}
	defer toWorkflows.Close()
	toExecutions, err := connect("EXECUTIONS", "127.0.0.1:7002")
	if err != nil {
		return err
	}
	defer toExecutions.Close()
	workflowClient := workflows.NewWorkflowServiceClient(toWorkflows)
	executionClient := executions.NewExecutionServiceClient(toExecutions)

	ctx, cancel := withKey(10 * time.Second)
	defer cancel()
	request := &workflows.CreateWorkflowRequest{Definition: []byte(definition), Summary: proto.Bool(true)}
	created, err := workflowClient.CreateWorkflow(ctx, request)
	if err != nil {
		return err
	}

	key := rand.Text()
	started, err := start(executionClient, created.Workflow.Id, key)
	if err != nil {
		return err
	}
	again, err := start(executionClient, created.Workflow.Id, key)
	if err != nil {
		return err
	}
	fmt.Println("started twice, run once:", again.Existing)

	err = follow(executions.NewEventServiceClient(toExecutions), started.ExecutionId, func(event *executions.Event) {
		switch kind := event.Kind.(type) {
		case *executions.Event_Accepted:
			fmt.Println(event.Sequence, "accepted")
		case *executions.Event_NodeFinished:
			fmt.Println(event.Sequence, "node_finished", kind.NodeFinished.Node)
		case *executions.Event_Ended:
			fmt.Println(event.Sequence, "ended", kind.Ended.Status)
		}
	})
	if err != nil {
		return err
	}
	n, err := result(executionClient, started.ExecutionId, "Double")
	if err != nil {
		return err
	}
	fmt.Println("result:", n)

	_, err = workflowClient.GetWorkflow(ctx, &workflows.GetWorkflowRequest{WorkflowId: "unknown"})
	reason := "by the transport"
	if info := errorInfo(err); info != nil {
		reason = info.Reason
	}
	fmt.Println("refused:", status.Code(err), reason)
	return nil
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
