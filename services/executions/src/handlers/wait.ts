import type { RunnerServiceService, WaitEntry } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import type { Wait, WaitExecution } from '../domain/wait-execution';
import { sentNodeRuns } from './node-run-message';
import { checkLength, verdictMessage } from './verdict-message';

const HASH = /^[0-9a-f]{64}$/;

const waitOf = ({ nodeRuns, resumeAt, resumeTokenHash, childExecutionId, ...entry }: WaitEntry): Wait => {
  if (resumeTokenHash !== '' && !HASH.test(resumeTokenHash)) {
    throw new InvalidRequest('A wait is not valid.', [{ field: 'entries.resumeTokenHash', description: 'Give SHA-256 in lower-case hexadecimal.' }]);
  }
  if (resumeAt === undefined && resumeTokenHash === '' && childExecutionId === '') {
    throw new InvalidRequest('A wait would never end.', [{ field: 'entries', description: 'Give resumeAt, resumeTokenHash or childExecutionId.' }]);
  }
  return {
    ...entry,
    nodeRuns: sentNodeRuns(nodeRuns),
    ...(resumeAt === undefined ? {} : { resumeAt }),
    ...(resumeTokenHash === '' ? {} : { tokenHash: resumeTokenHash }),
    ...(childExecutionId === '' ? {} : { childId: childExecutionId }),
  };
};

/** Wait. */
export const waitHandler =
  (wait: WaitExecution): Handlers<typeof RunnerServiceService>['wait'] =>
  async ({ entries }) => {
    checkLength(entries, 'entries');
    const verdicts = await Promise.all(entries.map(waitOf).map(wait));
    return { verdicts: verdicts.map(verdictMessage) };
  };
