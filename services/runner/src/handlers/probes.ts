import { ProbeOutcome, ProbeServiceService } from '@weft/proto/probes';
import { testCredential, type TestPorts, type TestResult } from '@weft/nodes/credential-tests';
import { Unavailable } from '@weft/service-kit/errors';
import { bindService, type BoundService, type Handlers } from '@weft/service-kit/grpc';
import { PROBE_ACCESS } from './access';
import { createListOptions } from './list-options';
import { readJsonObject } from './read-json-object';

/** Maximum concurrent probes per process; each may read some megabytes of a response. */
const MAX_PROBES = 8;

const OUTCOMES: Readonly<Record<TestResult['outcome'], ProbeOutcome>> = {
  accepted: ProbeOutcome.PROBE_OUTCOME_ACCEPTED,
  refused: ProbeOutcome.PROBE_OUTCOME_REFUSED,
  untestable: ProbeOutcome.PROBE_OUTCOME_UNTESTABLE,
};

/** ProbeService: tests credentials and lists options for other services. @param maxProbes for tests */
export const bindProbes = (ports: TestPorts, maxProbes = MAX_PROBES): BoundService => {
  let underWay = 0;
  const handlers: Handlers<typeof ProbeServiceService> = {
    probeCredential: async ({ type, dataJson, url }, { signal }) => {
      const data = readJsonObject('data_json', dataJson);
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
    listOptions: createListOptions(ports),
  };
  return bindService(ProbeServiceService, handlers, PROBE_ACCESS);
};
