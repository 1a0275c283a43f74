"""Hooks of schemathesis: gives requests the ids of things that exist, and counts the answers of each operation.

Generated ids are unknown to any service, so that without these most operations would only ever say 404. Reads WEFT_KEY
(the key of the owner) and WEFT_DELIVERIES (ids of deliveries, separated by commas), and writes to the file WEFT_COUNTS.
"""

import atexit
import base64
import itertools
import json
import os
import random
import urllib.error
import urllib.request
from collections import Counter

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation import GenerationMode
from schemathesis.openapi.checks import RejectedPositiveData

KEY = os.environ["WEFT_KEY"]
DELIVERIES = [each for each in os.environ.get("WEFT_DELIVERIES", "").split(",") if each]
# Those that may be deleted, and those that are left to be delivered: operations are asked one after the other.
TO_DELETE, TO_DELIVER = DELIVERIES[::2], DELIVERIES[1::2]
SHARE_OF_KNOWN_IDS = 0.85
SHARE_OF_MADE_BODIES = 0.4
PERIOD = {"from": "2026-01-01T00:00:00Z", "to": "2026-01-01T02:00:00Z"}

counts = Counter()
numbers = itertools.count(int.from_bytes(os.urandom(5), "big"))
chance = random.Random(1)
address = ""


def name():
    return f"made{next(numbers)}"


def ask(method, path, body=None, headers=None):
    """Sends one request of the scene, and returns what `data` of its answer is."""
    request = urllib.request.Request(
        f"{address}{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"content-type": "application/json", **(headers or {"x-svc-api-key": KEY})},
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["data"]


def node(label, kind, version=1, **parameters):
    return {
        "name": label,
        "type": f"weft-nodes-base.{kind}",
        "typeVersion": version,
        "position": [0, 0],
        "parameters": parameters,
    }


def definition(*further):
    """A workflow that starts by hand and by the hour, and goes through the nodes that are named."""
    begin = node("Start", "manualTrigger")
    clock = node("Clock", "scheduleTrigger", 1.2, rule={"interval": [{"field": "hours"}]})
    steps = [begin, *further]
    links = {
        one["name"]: {"main": [[{"node": after["name"], "type": "main", "index": 0}]]}
        for one, after in itertools.pairwise(steps)
    }
    return {"name": name(), "nodes": [*steps, clock], "connections": links, "settings": {"executionOrder": "v1"}}


def workflow(*further):
    return ask("POST", "/workflows", definition(*further))["id"]


def run(*further):
    return ask("POST", f"/workflows/{workflow(*further)}/execute", {"wait": True})["executionId"]


def failed_run():
    return run(node("Stop", "stopAndError", errorMessage="stopped"))


def waiting_run():
    return ask("POST", f"/workflows/{workflow(node('Wait', 'wait', 1.1, resume='webhook'))}/execute", {})["executionId"]


def file_of_run():
    execution = run(node("File", "convertToFile", 1.1, operation="toJson"))
    data = ask("GET", f"/executions/{execution}")["data"]["resultData"]["runData"]
    return execution, data["File"][0]["data"]["main"][0][0]["binary"]["data"]["id"]


def retry_job():
    found = ask("GET", f"/executions/{failed_run()}")["workflowId"]
    return ask("POST", "/executions/retry", {"filter": {"workflowId": found}})["id"]


def backfill():
    return ask("POST", f"/workflows/{workflow()}/backfill", PERIOD)["id"]


def one_of(deliveries):
    return deliveries.pop() if len(deliveries) > 1 else deliveries[0]


def credential():
    secret = {"name": "x-secret", "value": "s3cret"}
    return ask("POST", "/credentials", {"name": name(), "type": "httpHeaderAuth", "data": secret})["id"]


def untestable():
    # Others are tried out at some address, and only a few in a minute.
    body = {"name": name(), "type": "crypto", "data": {"hmacSecret": "s3cret"}}
    return ask("POST", "/credentials", body)["id"]


def grant():
    of, to = known("/credentials/"), known("/projects/")
    ask("PUT", f"/credentials/{of}/grants/{to}")
    return of, to


def variable():
    return ask("POST", "/variables", {"key": name(), "value": "v"})["id"]


def data_table():
    columns = [{"name": "city", "type": "string"}]
    return ask("POST", "/data-tables", {"name": name(), "columns": columns})["id"]


def project():
    return ask("POST", "/projects", {"name": name()})["id"]


def user():
    body = {"email": f"{name()}@weft.invalid", "password": "a password for tests", "role": "editor"}
    return ask("POST", "/users", body)["id"]


def join(of, who):
    ask("POST", f"/projects/{of}/members", {"userId": who, "role": "editor"})
    return of, who


def member():
    who = user()
    try:
        return join(known("/projects/"), who)
    except urllib.error.HTTPError as error:
        # The number of members of a project is limited.
        error.close()
        pool["/projects/"] = project()
        return join(pool["/projects/"], who)


def key_of_user():
    body = {"email": f"{name()}@weft.invalid", "password": "a password for tests", "role": "editor"}
    proof = base64.b64encode(f"{body['email']}:{body['password']}".encode()).decode()
    who = ask("POST", "/users", body)["id"]
    return who, ask("POST", "/keys", {"name": "one"}, {"authorization": f"Basic {proof}"})["id"]


def invitation():
    return ask("POST", "/invitations", {"email": f"{name()}@weft.invalid", "role": "viewer"})["id"]


def key():
    return ask("POST", "/keys", {"name": name()})["id"]


# Operations that make the ids of a path, by the beginning of the path; the longest match counts.
MAKERS = {
    "/workflows/": workflow,
    "/executions/": run,
    "/executions/{id}/binary/": file_of_run,
    "/executions/{id}/retry": failed_run,
    "/executions/{id}/cancel": waiting_run,
    "/retry-jobs/": retry_job,
    "/backfills/": backfill,
    "/deliveries/": lambda: one_of(TO_DELETE),
    "/deliveries/{id}/redeliver": lambda: one_of(TO_DELIVER),
    "/node-types/": lambda: "set",
    "/credentials/": credential,
    "/credentials/{id}/test": untestable,
    "/credentials/{id}/grants/": grant,
    "/credential-types/": lambda: "httpHeaderAuth",
    "/variables/": variable,
    "/data-tables/": data_table,
    "/projects/": project,
    "/projects/{id}/members/": member,
    "/users/": user,
    "/users/{id}/keys/": key_of_user,
    "/keys/": key,
    "/invitations/": invitation,
    # Who gets what the deleted one owns.
    "heir": user,
}

# Values that bodies need and that the document cannot describe.
BODIES = {
    "createWorkflow": lambda: definition(),
    "replaceWorkflow": lambda: definition(),
    "startBackfill": lambda: {**PERIOD, "dryRun": next(numbers) % 9 > 0},
    "retryExecutions": lambda: {"filter": {"workflowId": known("/workflows/")}, "dryRun": next(numbers) % 9 > 0},
    "createCredential": lambda: {"name": name(), "type": "httpHeaderAuth", "data": {"name": "x", "value": "v"}},
    "updateCredential": lambda: {"name": name(), "data": {"value": "another"}},
    "insertRows": lambda: {"rows": [{"city": "Bern"}, {}]},
    "addProjectMember": lambda: {"userId": user(), "role": "viewer"},
    "createUser": lambda: {"email": f"{name()}@weft.invalid", "password": "a password for tests", "role": "viewer"},
    "createInvitation": lambda: {"email": f"{name()}@weft.invalid", "role": "viewer"},
    "createApiKey": lambda: {"name": name(), "expiresAt": "2999-01-01T00:00:00Z", "scopes": ["workflows:read"]},
    "createDataTable": lambda: {"name": name(), "columns": [{"name": "city", "type": "string"}]},
    "transferWorkflow": lambda: {"destinationProjectId": known("/projects/")},
    "transferVariable": lambda: {"destinationProjectId": known("/projects/")},
    "transferDataTable": lambda: {"destinationProjectId": known("/projects/")},
    "transferCredential": lambda: {"destinationProjectId": known("/projects/")},
}

# Operations after which the thing is gone, or is no longer what the operation is for.
CONSUMES = {"cancelExecution", "cancelRetryJob", "cancelBackfill"}

pool = {}
cursors = {}


def known(prefix):
    """The ids of something that exists and that this path is for."""
    if prefix not in pool:
        pool[prefix] = MAKERS[prefix]()
    return pool[prefix]


def prefix_of(path):
    """The beginning of a path that says whose ids it needs."""
    return max((each for each in MAKERS if path.startswith(each)), key=len, default=None)


def is_generated_badly(case, location):
    """Whether a case is meant to be refused for what it has there."""
    component = case.meta.components.get(location) if case.meta else None
    return component is not None and component.mode == GenerationMode.NEGATIVE


def remove(path, made):
    """Removes what a creation has made: an instance, or a user, may have only a limited number of some things."""
    try:
        ask("DELETE", f"{path}/{made}")
    except urllib.error.HTTPError as error:
        error.close()


@schemathesis.hook
def before_call(context, case, kwargs):
    global address
    address = case.operation.base_url.rstrip("/")
    if case.meta is None or case.meta.phase.name.value == "stateful":
        return
    prefix = prefix_of(case.operation.path)
    if prefix and case.path_parameters and not is_generated_badly(case, ParameterLocation.PATH):
        if chance.random() < SHARE_OF_KNOWN_IDS:
            ids = known(prefix)
            both = ids if isinstance(ids, tuple) else (ids,)
            case.path_parameters = {**case.path_parameters, **dict(zip(("id", "ref"), both, strict=False))}
    if case.query and "cursor" in case.query and not is_generated_badly(case, ParameterLocation.QUERY):
        if chance.random() < SHARE_OF_KNOWN_IDS:
            query = {key: value for key, value in case.query.items() if key != "cursor"}
            cursor = cursors.get(case.operation.path)
            case.query = query if cursor is None else {**query, "cursor": cursor}
    if case.query and "transferTo" in case.query and not is_generated_badly(case, ParameterLocation.QUERY):
        if chance.random() < SHARE_OF_KNOWN_IDS:
            case.query = {**case.query, "transferTo": known("heir")}
    make = BODIES.get(case.operation.definition.raw.get("operationId"))
    if make and case.method == case.operation.method.upper() and not is_generated_badly(case, ParameterLocation.BODY):
        if case.meta.phase.name.value == "fuzzing" and chance.random() < SHARE_OF_MADE_BODIES:
            case.body = make()


@schemathesis.hook
def after_call(context, case, response):
    operation = case.operation.definition.raw.get("operationId")
    if case.method.upper() != case.operation.method.upper():
        operation = f"{operation} by another method"
    phase = case.meta.phase.name.value if case.meta else "other"
    counts[(operation, phase, response.status_code)] += 1
    # A sequence continues with what it creates.
    if phase != "stateful" and str(operation).startswith("create") and response.status_code == 201:
        remove(case.operation.path, response.json()["data"]["id"])
    if operation == "grantCredential" and response.status_code == 200:
        # The next one is to make a grant again, and not to find it.
        remove(f"/credentials/{case.path_parameters['id']}/grants", case.path_parameters["ref"])
    if response.status_code == 200 and b'"nextCursor":"' in response.content:
        cursors[case.operation.path] = response.json()["nextCursor"]
    prefix = prefix_of(case.operation.path)
    is_gone = response.status_code == 404 or case.method == "DELETE" or operation in CONSUMES
    if is_gone:
        pool.pop(prefix, None)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """The document cannot say that no key, at any depth, may be `__proto__`: such a body may be refused."""
    return not (isinstance(failure, RejectedPositiveData) and b"is not allowed as a key." in response.content)


@atexit.register
def write_counts():
    rows = [{"operation": o, "phase": p, "status": s, "count": c} for (o, p, s), c in sorted(counts.items())]
    with open(os.environ["WEFT_COUNTS"], "w", encoding="utf-8") as file:
        json.dump(rows, file)
