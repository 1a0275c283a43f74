import { ProbeOutcome, ProbeServiceService } from '@weft/proto/probes';
import { testCredential, type TestPorts, type TestResult } from '@weft/nodes/credential-tests';
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

/** ProbeService: tests credentials for other services. @param maxProbes for tests */
export const bindProbes = (ports: TestPorts, maxProbes = MAX_PROBES): BoundService => {
  let underWay = 0;
  const handlers: Handlers<typeof ProbeServiceService> = {
    probeCredential: async ({ type, dataJson, url }, { signal }) => {
      const data = readData(dataJson);
      if (underWay >= maxProbes)
        throw new Unavailable('This runner is testing the maximum number of credentials. Try again.', undefined, 2);
      underWay += 1;
      try {
        const { outcome, message } = await testCredential(ports, { type, data, url }, signal);
        return { outcome: OUTCOMES[outcome], message };
      } finally {
        underWay -= 1;
      }
    },
  };
  return bindService(ProbeServiceService, handlers, PROBE_ACCESS);
};
