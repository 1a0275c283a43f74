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
import { isJsonObject, type JsonObject, parseJson } from '@weft/service-kit/json';
import { PROBE_ACCESS } from './access';

/** Maximum concurrent probes per process; each may read some megabytes of a response. */
const MAX_PROBES = 8;
const MAX_DATA_BYTES = 64 * 1024;

const OUTCOMES: Readonly<Record<TestResult['outcome'], ProbeOutcome>> = {
  accepted: ProbeOutcome.PROBE_OUTCOME_ACCEPTED,
  refused: ProbeOutcome.PROBE_OUTCOME_REFUSED,
  untestable: ProbeOutcome.PROBE_OUTCOME_UNTESTABLE,
};

/** The parser's message may quote the data. */
const readData = (dataJson: string): JsonObject => {
  const bytes = Buffer.from(dataJson);
  try {
    const data = bytes.length > MAX_DATA_BYTES ? undefined : parseJson(bytes);
    if (isJsonObject(data)) return data;
  } catch {
    // refused below
  }
  throw new InvalidRequest('The request is invalid.', [
    { field: 'data_json', message: `must be a JSON object of at most ${MAX_DATA_BYTES} bytes.` },
  ]);
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

/** ProbeService: tests credentials and requests tokens for the credentials service. @param maxProbes for tests */
export const bindProbes = (ports: TestPorts, maxProbes = MAX_PROBES): BoundService => {
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
      const data = readData(dataJson);
      const { outcome, message } = await withinShare(() => testCredential(ports, { type, data, url }, signal));
      return { outcome: OUTCOMES[outcome], message };
    },
    requestTokens: async ({ type, dataJson, grant: given }, { signal }) => {
      const [data, grant] = [readData(dataJson), grantOf(given)];
      return toMessage(await withinShare(() => requestTokens(ports.http, { type, data, grant }, signal)));
    },
  };
  return bindService(ProbeServiceService, handlers, PROBE_ACCESS);
};
