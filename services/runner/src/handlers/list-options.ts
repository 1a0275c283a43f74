import type { ProbeServiceService } from '@weft/proto/probes';
import { type FindApp, listNodeOptions } from '@weft/nodes/options';
import type { TestPorts } from '@weft/nodes/credential-tests';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { setTimeout as sleep } from 'node:timers/promises';
import { createShares, SHARE_LIMITS } from './owner-shares';
import { readJsonObject } from './read-json-object';

const MESSAGES = {
  each: 'Your earlier lists are still being fetched. Try again.',
  all: 'This runner is fetching the maximum number of lists. Try again.',
};

/** Dependencies of lists. */
export interface ListPorts extends Pick<TestPorts, 'http'> {
  /** Absent: only apps of the build have lists. */
  readonly findApp?: FindApp;
}

/** The fields of the API, by those of a result. */
const FIELDS = { list: 'list', credentialId: 'credentialId', cursor: 'cursor', parameters: 'parameters' } as const;

/**
 * ListOptions: fetches options for parameters of apps. A user whose service is slow has two lists at once, so that
 * others have the rest.
 * @param limits for tests
 */
export const createListOptions = (
  { http, findApp }: ListPorts,
  limits = SHARE_LIMITS,
): Handlers<typeof ProbeServiceService>['listOptions'] => {
  const withinShare = createShares(limits, MESSAGES);
  return async (request, { signal }) => {
    const { type, version, list, search, cursor, credentialType, userId } = request;
    const parameters = readJsonObject('parameters', request.parametersJson === '' ? '{}' : request.parametersJson);
    const credential =
      credentialType === '' ? undefined : { type: credentialType, data: readJsonObject('data_json', request.dataJson) };
    return withinShare(userId, async () => {
      const result = await listNodeOptions(
        type,
        { version: version === 0 ? undefined : version, list, parameters, credential, search, cursor },
        { http, now: () => Date.now(), sleep: (ms, until) => sleep(ms, undefined, { signal: until }) },
        signal,
        findApp,
      );
      if (result === undefined)
        throw new InvalidRequest('The node type has no lists of options.', [
          { field: 'type', message: 'must be a type whose parameters name lists, such as that of an app.' },
        ]);
      if (result.kind === 'refused')
        throw new InvalidRequest('The options cannot be listed.', [
          { field: FIELDS[result.field], message: result.message },
        ]);
      return { optionsJson: Buffer.from(JSON.stringify(result.options)), nextCursor: result.nextCursor };
    });
  };
};
