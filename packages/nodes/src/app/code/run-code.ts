import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { buildCall } from '../build-call';
import type { ItemParameters } from '../read-parameters';
import { isReading, type PreparedRequest } from '../prepare-request';
import type { ItemTarget, Progress } from '../steps/run-item-steps';
import { sendCall } from '../send-call';
import { asObject } from '../template';
import { callCode } from './call-code';
import { placeOf, type PreparedCode } from './prepare-code';
import { type CodeRequest, readRound } from './read-round';

/** Maximum number of times that the code is called for one item. */
const MAX_ROUNDS = 50;
/** Key of the rounds of an item in its progress; no step has this name. */
const KEY = '$code';

/** The rounds of an item so far. JSON, because a long delay of the service stores it with the run. */
interface CodeState {
  readonly rounds: number;
  readonly state: Json;
  readonly items: readonly Json[];
  readonly requests: readonly CodeRequest[];
  /** Responses to the first of the requests. */
  readonly responses: readonly Json[];
}

const BEGIN: CodeState = { rounds: 0, state: null, items: [], requests: [], responses: [] };

/**
 * Calls the code of an operation for one item and sends the requests that it asks for, one after the other, until it
 * asks for none.
 * @returns the items that it gave
 * @throws NodeFailure if the code, a request or an item fails, LongDelay if it must continue later, from `progress`
 */
export async function runCode(
  code: PreparedCode,
  target: ItemTarget,
  { values: params }: ItemParameters,
  progress: Progress,
): Promise<readonly Json[]> {
  const { context } = target.run;
  const given: JsonObject = {
    params,
    values: asObject(code.values?.json(target.scope)) ?? {},
    version: context.version,
    timezone: context.timezone,
  };
  const path = placeOf(code, undefined);
  let now = storedState(progress) ?? BEGIN;
  do {
    now = await sendRequests(code, now, target, progress);
    if (now.rounds >= MAX_ROUNDS)
      throw new NodeFailure(`The code of the app failed: ${path}: it asks for more than ${MAX_ROUNDS} rounds.`);
    const result = await callCode(code, { ...given, state: now.state, responses: [...now.responses] }, target.run);
    const { state, items, requests } = readRound(result, code, path);
    now = { rounds: now.rounds + 1, state, items: [...now.items, ...items], requests, responses: [] };
  } while (now.requests.length > 0);
  return now.items;
}

async function sendRequests(
  code: PreparedCode,
  from: CodeState,
  target: ItemTarget,
  progress: Progress,
): Promise<CodeState> {
  let now = from;
  for (const { call, method, isForm, parts } of from.requests.slice(from.responses.length)) {
    progress.steps = { ...progress.steps, [KEY]: storable(now) };
    const prepared = code.calls.get(call);
    if (prepared === undefined) throw new NodeFailure(`There is no call ${call}.`);
    const request = {
      ...prepared,
      isForm,
      ...(method === undefined ? {} : { method, ...repeatable(method, prepared) }),
    };
    const item = { ...target, scope: target.scope.with({ $request: parts }) };
    const { root } = await sendCall(request, buildCall(request, item), item);
    now = { ...now, responses: [...now.responses, { ...root }] };
  }
  return now;
}

/** Only GET and HEAD may be sent again after a broken connection, unless the call says that it changes nothing. */
const repeatable = (
  method: string,
  { isRepeatable, method: own }: PreparedRequest,
): Pick<PreparedRequest, 'isRepeatable'> => ({
  isRepeatable: isReading(method) || (isRepeatable && !isReading(own)),
});

const storable = ({ requests, ...rest }: CodeState): JsonObject => ({
  ...rest,
  items: [...rest.items],
  responses: [...rest.responses],
  requests: requests.map(({ call, method, isForm, parts }) => ({ call, method: method ?? null, isForm, parts })),
});

function storedState({ steps }: Progress): CodeState | undefined {
  const stored = steps[KEY];
  if (!isJsonObject(stored)) return undefined;
  const { rounds, state = null, items, requests, responses } = stored;
  return {
    rounds: Number(rounds),
    state,
    items: listOf(items),
    responses: listOf(responses),
    requests: listOf(requests).flatMap((one) => {
      if (!isJsonObject(one)) return [];
      const { call, method, isForm, parts } = one;
      return [
        {
          call: String(call),
          method: typeof method === 'string' ? method : undefined,
          isForm: isForm === true,
          parts: asObject(parts) ?? {},
        },
      ];
    }),
  };
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
