import { isJsonObject, type Json } from '@weft/node-catalogue';
import { buildCall } from '../build-call';
import type { PreparedRequest, PreparedStep } from '../prepare-request';
import { type CallResponse, type CallTarget, sendCall } from '../send-call';

/** Sends the request of a step, or finds its response. */
export type SendStep = (as: string, request: PreparedRequest, target: CallTarget) => Promise<CallResponse>;

const sendEach: SendStep = (_as, request, target) => sendCall(request, buildCall(request, target), target);

/**
 * Sends the requests of steps in order. Each sees the responses before it, those that the scope has included.
 * @returns the target with a scope that has `$steps`
 * @throws as `send` does
 */
export async function runSteps(
  steps: readonly PreparedStep[],
  target: CallTarget,
  send: SendStep = sendEach,
): Promise<CallTarget> {
  const earlier = target.scope.extra['$steps'];
  let responses: Readonly<Record<string, Json>> = isJsonObject(earlier) ? earlier : {};
  let last: CallTarget = { ...target, scope: target.scope.with({ $steps: responses }) };
  for (const { as, when, request } of steps) {
    if (when?.holds(last.scope) === false) continue;
    responses = { ...responses, [as]: (await send(as, request, last)).root };
    last = { ...last, scope: target.scope.with({ $steps: responses }) };
  }
  return last;
}
