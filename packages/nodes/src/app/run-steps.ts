import { isJsonObject, type Json } from '@weft/node-catalogue';
import type { PreparedRequest, PreparedStep } from './prepare-request';
import type { CallResponse, CallTarget } from './send-call';

/** Sends the request of a step, or finds its response. */
export type SendStep = (as: string, request: PreparedRequest, target: CallTarget) => Promise<CallResponse>;

/**
 * Sends the requests of steps in order. Each sees the responses before it, those that the scope has included.
 * @returns the target with a scope that has `$steps`
 * @throws as `send` does
 */
export async function runSteps(
  steps: readonly PreparedStep[],
  target: CallTarget,
  send: SendStep,
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
