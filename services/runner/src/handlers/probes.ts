import {
  ProbeOutcome,
  ProbeServiceService,
  type RequestTokensRequest,
  type RequestTokensResponse,
} from '@weft/proto/probes';
import { testCredential, type TestPorts, type TestResult } from '@weft/nodes/credential-tests';
import { requestTokens, type TokenGrant, type TokenResult } from '@weft/nodes/oauth2-tokens';
import { InvalidRequest, Unavailable } from '@weft/service-kit/errors';
import { bindService, type BoundService, type Handlers } from '@weft/service-kit/grpc';
import { PROBE_ACCESS } from './access';
import { createListOptions, type ListPorts } from './list-options';
import { readJsonObject } from './read-json-object';
import { createRequestHook } from './request-hook';

/** Maximum concurrent probes per process; each may read some megabytes of a response. */
const MAX_PROBES = 8;

const OUTCOMES: Readonly<Record<TestResult['outcome'], ProbeOutcome>> = {
  accepted: ProbeOutcome.PROBE_OUTCOME_ACCEPTED,
  refused: ProbeOutcome.PROBE_OUTCOME_REFUSED,
  untestable: ProbeOutcome.PROBE_OUTCOME_UNTESTABLE,
};

/** @throws InvalidRequest */
const grantOf = (grant: RequestTokensRequest['grant']): TokenGrant => {
  switch (grant?.$case) {
    case 'authorizationCode':
      return { kind: 'code', ...grant.value };
    case 'refreshToken':
      return { kind: 'refresh', refreshToken: grant.value };
    case undefined:
      throw new InvalidRequest('The request is invalid.', [{ field: 'grant', message: 'must be set.' }]);
  }
};

const toMessage = (result: TokenResult): RequestTokensResponse => {
  switch (result.kind) {
    case 'issued': {
      const { accessToken, refreshToken, expiresInSeconds, scope } = result;
      return { outcome: { $case: 'issued', value: { accessToken, refreshToken, expiresInSeconds, scope } } };
    }
    case 'refused':
      return { outcome: { $case: 'refused', value: { code: result.code, message: result.message } } };
    case 'unanswered':
      return { outcome: { $case: 'unanswered', value: result.message } };
  }
};

/**
 * ProbeService: tests credentials, requests tokens, lists options and registers triggers for the credentials service.
 * @param maxProbes for tests and tokens
 */
export const bindProbes = (ports: TestPorts & ListPorts, maxProbes = MAX_PROBES): BoundService => {
  let underWay = 0;
  const withinShare = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (underWay >= maxProbes)
      throw new Unavailable('This runner is testing the maximum number of credentials. Try again.', undefined, 2);
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
    }
  };
  const handlers: Handlers<typeof ProbeServiceService> = {
    probeCredential: async ({ type, dataJson, url }, { signal }) => {
      const data = readJsonObject('data_json', dataJson);
      const { outcome, message } = await withinShare(() => testCredential(ports, { type, data, url }, signal));
      return { outcome: OUTCOMES[outcome], message };
    },
    requestTokens: async ({ type, dataJson, grant: given }, { signal }) => {
      const [data, grant] = [readJsonObject('data_json', dataJson), grantOf(given)];
      return toMessage(await withinShare(() => requestTokens(ports.http, { type, data, grant }, signal)));
    },
    listOptions: createListOptions(ports),
    requestHook: createRequestHook(ports),
  };
  return bindService(ProbeServiceService, handlers, PROBE_ACCESS);
};
