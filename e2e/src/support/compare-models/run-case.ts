import type { ModelServer, ScriptStep } from '@weft/models/testing';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  listField,
  numberField,
  objectField,
  textField,
} from '@weft/service-kit/json';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CompareCase, CREDENTIALS, PLACES, workflowOf } from './case';
import { neutral, type NeutralRequest } from './neutral-request';

/** One of the two programs. */
export interface Program {
  readonly name: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly models: ModelServer;
  /** Address of the server that tools call. */
  readonly tool: string;
}

/** Requests, items and runs of a case in one program. */
export interface CaseResult {
  readonly requests: readonly NeutralRequest[];
  /** Status and items of the node that ran last, for each call. */
  readonly items: readonly unknown[];
  /** Runs of nodes for each call: those of `main`, and those of sub-nodes, each in its order. */
  readonly runs: readonly unknown[];
}

/** Stores what all cases need. @returns ids by the words in cases */
export async function prepare(program: Program): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>([
    [PLACES.model, program.models.url],
    [PLACES.tool, program.tool],
  ]);
  for (const [type, data] of Object.entries(CREDENTIALS)) {
    const stored = await send(program, 'POST', '/credentials', { name: type, type, data: filled(data, ids) });
    ids.set(`"id":"${type}"`, `"id":"${stored.id}"`);
  }
  const called = await send(program, 'POST', '/workflows', CALLED);
  await send(program, 'POST', `/workflows/${called.id}/activate`, {});
  ids.set(PLACES.called, called.id);
  return ids;
}

/** A workflow that a tool calls. */
const CALLED = {
  name: 'Called',
  nodes: [
    {
      id: 'a',
      name: 'Start',
      type: 'n8n-nodes-base.executeWorkflowTrigger',
      typeVersion: 1.1,
      position: [0, 0],
      parameters: { workflowInputs: { values: [{ name: 'word', type: 'string' }] } },
    },
    {
      id: 'b',
      name: 'Reply',
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      position: [200, 0],
      parameters: {
        mode: 'raw',
        jsonOutput: '={{ { reversed: $json.word.split("").reverse().join("") } }}',
        options: {},
      },
    },
  ],
  connections: { Start: { main: [[{ node: 'Reply', type: 'main', index: 0 }]] } },
  settings: { executionOrder: 'v1' },
};

/** Runs a case in one program. @param path of the webhook, unique */
export async function runCase(
  program: Program,
  ids: ReadonlyMap<string, string>,
  one: CompareCase,
  path: string,
): Promise<CaseResult> {
  const { models } = program;
  models.seen.splice(0);
  const { byWord } = one;
  if (byWord === undefined) models.play(...one.steps);
  else models.playFor(({ body }) => stepFor(byWord, JSON.stringify(listField(body, 'messages').at(-1))));
  const { id } = await send(program, 'POST', '/workflows', filled(workflowOf(one, path), ids));
  await send(program, 'POST', `/workflows/${id}/activate`, {});
  const items: unknown[] = [];
  const runs: unknown[] = [];
  for (const [at, body] of (one.bodies ?? [{}]).entries()) {
    await callHook(`${program.baseUrl}/webhook/${path}`, body);
    const execution = await lastExecution(program, id, at + 1);
    items.push(itemsOf(execution));
    runs.push(runsOf(execution));
  }
  await send(program, 'POST', `/workflows/${id}/deactivate`, {});
  const requests = models.seen.map(neutral);
  // requests that are made at once arrive in any order
  return { requests: byWord === undefined ? requests : inTextOrder(requests), items, runs };
}

const inTextOrder = (requests: readonly NeutralRequest[]): NeutralRequest[] =>
  [...requests].sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));

const stepFor = (byWord: Readonly<Record<string, ScriptStep>>, text: string): ScriptStep =>
  Object.entries(byWord).find(([word]) => text.includes(word))?.[1] ?? {};

/** Text with the words of cases replaced. */
function filled(value: object, ids: ReadonlyMap<string, string>): object {
  let text = JSON.stringify(value);
  for (const [word, id] of ids) text = text.replaceAll(word, id);
  const made: JsonObject = JSON.parse(text);
  return made;
}

async function send(
  { baseUrl, headers }: Program,
  method: string,
  path: string,
  body?: object,
): Promise<JsonObject & { readonly id: string }> {
  const reply = await fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text.slice(0, 600)}`);
  const parsed: JsonObject = JSON.parse(text);
  const data = objectField(parsed, 'data') ?? parsed;
  const whole = objectField(parsed, 'id') === undefined && textField(parsed, 'id') === undefined ? data : parsed;
  return { ...(Array.isArray(parsed['data']) ? parsed : whole), id: textField(whole, 'id') ?? '' };
}

/** Calls a webhook, which may not be registered at once. */
async function callHook(url: string, body: object): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(120_000),
    });
    await reply.arrayBuffer();
    if (reply.status !== 404 || tries > 50) return;
    await sleep(200);
  }
}

/** The execution with this number of a workflow, once it has ended. */
async function lastExecution(program: Program, workflowId: string, number: number): Promise<JsonObject> {
  for (let tries = 0; tries < 600; tries += 1) {
    const list = await send(program, 'GET', `/executions?workflowId=${workflowId}&includeData=true&limit=20`);
    const all = listField(list, 'data').filter(isJsonObject);
    const newest = all[0];
    const status = textField(newest, 'status') ?? '';
    if (newest !== undefined && all.length >= number && ['success', 'error', 'crashed'].includes(status)) {
      return newest['data'] === undefined ? await send(program, 'GET', `/executions/${String(newest['id'])}`) : newest;
    }
    await sleep(100);
  }
  throw new Error(`The execution ${number} of ${workflowId} in ${program.name} does not end.`);
}

const resultDataOf = (execution: JsonObject): JsonObject =>
  objectField(objectField(execution, 'data'), 'resultData') ?? {};

function itemsOf(execution: JsonObject): unknown {
  const result = resultDataOf(execution);
  const last = textField(result, 'lastNodeExecuted') ?? '';
  const runs = listField(objectField(result, 'runData'), last);
  const outputs = listField(objectField(runs.at(-1), 'data'), 'main');
  return {
    status: textField(execution, 'status'),
    last,
    outputs: outputs.map((items) =>
      Array.isArray(items)
        ? items.map((item) => ({
            json: withoutLibrary(objectField(item, 'json')),
            pairedItem: pairOf(objectField(item, 'pairedItem')),
          }))
        : [],
    ),
  };
}

/** The item without objects of n8n's library in intermediate steps, and the words that describe a step there. */
function withoutLibrary(json: JsonObject = {}): JsonObject {
  const steps = json['intermediateSteps'];
  if (!Array.isArray(steps)) return json;
  return {
    ...json,
    intermediateSteps: steps.map((step) => {
      const { tool, toolInput, toolCallId } = objectField(step, 'action') ?? {};
      const { id: _id, ...input } = isJsonObject(toolInput) ? toolInput : {};
      return { tool: tool ?? null, input, toolCallId: toolCallId ?? null };
    }),
  };
}

const pairOf = (pair: JsonObject | undefined): number => numberField(pair, 'item') ?? 0;

/** Runs of nodes by their execution index: `Name` or `Name!` for one that failed. */
function runsOf(execution: JsonObject): unknown {
  const runs = Object.entries(objectField(resultDataOf(execution), 'runData') ?? {}).flatMap(([name, list]) =>
    (Array.isArray(list) ? list : []).map((run: Json) => ({
      name,
      index: numberField(run, 'executionIndex') ?? 0,
      isSubNode: Object.keys(objectField(run, 'data') ?? objectField(run, 'inputOverride') ?? {}).some(
        (type) => type !== 'main',
      ),
      isFailed: textField(run, 'executionStatus') !== 'success',
    })),
  );
  const ordered = runs.sort((one, other) => one.index - other.index);
  const shown = (isSubNode: boolean) =>
    ordered.filter((run) => run.isSubNode === isSubNode).map(({ name, isFailed }) => (isFailed ? `${name}!` : name));
  return { main: shown(false), subNodes: shown(true) };
}
