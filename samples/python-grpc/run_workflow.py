"""Stores a workflow, starts it, follows its events to the end, and shows how to act on errors.

KEY is an API key; WORKFLOWS and EXECUTIONS are the addresses of the two services.
"""

import json
import os
import sys
import time
import uuid

import grpc
from google.rpc import error_details_pb2, status_pb2

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "stubs"))
from weft.executions.v1 import event_service_pb2 as events_pb
from weft.executions.v1 import event_service_pb2_grpc as events_grpc
from weft.executions.v1 import execution_service_pb2 as executions_pb
from weft.executions.v1 import execution_service_pb2_grpc as executions_grpc
from weft.workflows.v1 import workflow_service_pb2 as workflows_pb
from weft.workflows.v1 import workflow_service_pb2_grpc as workflows_grpc

KEY = [("x-svc-api-key", os.environ["KEY"])]
WORKFLOWS = os.environ.get("WORKFLOWS", "127.0.0.1:7001")
EXECUTIONS = os.environ.get("EXECUTIONS", "127.0.0.1:7002")

DEFINITION = {
    "name": "from the Python sample",
    "nodes": [
        {"name": "Start", "type": "weft-nodes-base.manualTrigger"},
        {
            "name": "Double",
            "type": "weft-nodes-base.code",
            "typeVersion": 2,
            "parameters": {"jsCode": "return [{ json: { n: 2 * $input.first().json.n } }]"},
        },
    ],
    "connections": {"Start": {"main": [[{"node": "Double"}]]}},
}


def error_info(error):
    """Returns the ErrorInfo of a failed call; None if the error comes from the transport, not from Weft."""
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            for detail in status_pb2.Status.FromString(value).details:
                info = error_details_pb2.ErrorInfo()
                if detail.Unpack(info):
                    return info
    return None


def start(executions, workflow_id, key):
    """Starts a run once, however often the call is sent. An error of the transport leaves the outcome open."""
    request = executions_pb.StartExecutionRequest(
        start=executions_pb.ExecutionStart(workflow_id=workflow_id, input=b'{"n": 21}', idempotency_key=key)
    )
    for attempt in range(5):
        try:
            return executions.StartExecution(request, metadata=KEY, timeout=30).started
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.UNAVAILABLE or attempt == 4:
                raise
            time.sleep(0.2 * 2**attempt)


def follow(events, execution_id):
    """Yields the events of a run to the last one.

    A stream ends after 50 s, or with its connection: the next one continues after the last event that arrived.
    """
    after = 0
    while True:
        request = events_pb.StreamEventsRequest(execution_id=execution_id, after_sequence=after)
        try:
            for frame in events.StreamEvents(request, metadata=KEY, timeout=60):
                kind = frame.WhichOneof("frame")
                if kind == "event":
                    after = frame.event.sequence
                    yield frame.event
                elif kind == "end" and frame.end != events_pb.STREAM_END_TIME_LIMIT:
                    return
        except grpc.RpcError as error:
            if error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
                raise
            time.sleep(0.2)


def main():
    with grpc.insecure_channel(WORKFLOWS) as to_workflows, grpc.insecure_channel(EXECUTIONS) as to_executions:
        workflows = workflows_grpc.WorkflowServiceStub(to_workflows)
        executions = executions_grpc.ExecutionServiceStub(to_executions)
        events = events_grpc.EventServiceStub(to_executions)

        definition = json.dumps(DEFINITION).encode()
        request = workflows_pb.CreateWorkflowRequest(definition=definition, summary=True)
        workflow_id = workflows.CreateWorkflow(request, metadata=KEY, timeout=10).workflow.id

        key = str(uuid.uuid4())
        execution_id = start(executions, workflow_id, key).execution_id
        print("started twice, run once:", start(executions, workflow_id, key).existing)

        for event in follow(events, execution_id):
            kind = event.WhichOneof("kind")
            if kind == "node_finished":
                print(event.sequence, kind, event.node_finished.node)
            elif kind == "ended":
                print(event.sequence, kind, executions_pb.ExecutionStatus.Name(event.ended.status))
            else:
                print(event.sequence, kind)

        parts = executions.ReadExecutionData(
            executions_pb.ReadExecutionDataRequest(execution_id=execution_id), metadata=KEY, timeout=30
        )
        data = json.loads(b"".join(part.json_part for part in parts))
        print("result:", data["resultData"]["runData"]["Double"][0]["data"]["main"][0][0]["json"]["n"])

        try:
            workflows.GetWorkflow(workflows_pb.GetWorkflowRequest(workflow_id="unknown"), metadata=KEY, timeout=10)
        except grpc.RpcError as error:
            info = error_info(error)
            print("refused:", error.code().name, info.reason if info else "by the transport")


main()
