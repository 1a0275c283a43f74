import { HookRequestAction, type ProbeServiceService } from '@weft/proto/probes';
import { callNodeHook, type HookAction } from '@weft/nodes/hooks';
import type { TestPorts } from '@weft/nodes/credential-tests';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { type Json, parseJson } from '@weft/service-kit/json';
import { setTimeout as sleep } from 'node:timers/promises';
import { createShares, SHARE_LIMITS } from './owner-shares';
import { readJsonObject } from './read-json-object';

const MESSAGES = {
  each: 'Earlier requests for triggers of the owner are still under way. Try again.',
  all: 'This runner is making the maximum number of requests for triggers. Try again.',
};

const ACTIONS: ReadonlyMap<HookRequestAction, HookAction> = new Map([
  [HookRequestAction.HOOK_REQUEST_ACTION_REGISTER, 'register'],
  [HookRequestAction.HOOK_REQUEST_ACTION_CHECK, 'check'],
  [HookRequestAction.HOOK_REQUEST_ACTION_REMOVE, 'remove'],
]);

/** @throws InvalidRequest */
const keptOf = (text: string): Json => {
  if (text === '') return null;
  try {
    return parseJson(Buffer.from(text));
  } catch {
    throw new InvalidRequest('The request is invalid.', [{ field: 'kept_json', message: 'must be JSON.' }]);
  }
};

/**
 * RequestHook: registers, checks and removes the webhooks of triggers. Triggers of an owner whose service is slow have
 * two requests at once, so that others have the rest.
 * @param limits for tests
 */
export const createRequestHook = (
  { http }: Pick<TestPorts, 'http'>,
  limits = SHARE_LIMITS,
): Handlers<typeof ProbeServiceService>['requestHook'] => {
  const withinShare = createShares(limits, MESSAGES);
  return async (request, { signal }) => {
    const { kind, version, credentialType, url, secret, ownerId } = request;
    const action = ACTIONS.get(request.action);
    if (action === undefined)
      throw new InvalidRequest('The request is invalid.', [{ field: 'action', message: 'is not known.' }]);
    const parameters = readJsonObject('parameters_json', request.parametersJson);
    const kept = keptOf(request.keptJson);
    const credential =
      credentialType === '' ? undefined : { type: credentialType, data: readJsonObject('data_json', request.dataJson) };
    return withinShare(ownerId, async () => {
      const result = await callNodeHook(
        kind,
        { action, version, parameters, credential, url, secret, kept },
        { http, now: () => Date.now(), sleep: (ms, until) => sleep(ms, undefined, { signal: until }) },
        signal,
      );
      if (result === undefined)
        throw new InvalidRequest('The kind receives no calls of a service.', [
          { field: 'kind', message: 'must be the trigger of an app.' },
        ]);
      if (result.kind === 'refused')
        return { outcome: { $case: 'refused', value: { message: result.message, certain: result.isCertain } } };
      const keptJson = result.kept === undefined ? '' : JSON.stringify(result.kept);
      return { outcome: { $case: 'done', value: { valid: result.isValid, keptJson } } };
    });
  };
};
