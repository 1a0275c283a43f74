import { WaitSettings } from '@weft/proto/channels';
import type { RunnerServiceService, WaitEntry } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { checkLimit, LIMITS } from '@weft/service-kit/limits';
import type { Wait, WaitExecution } from '../domain/wait-execution';
import type { ProcessEntries } from './process-entries';
import { fromNodeRunMessages } from './node-run-message';
import { checkedResponse } from './respond';
import { checkTokenHash } from './token-hash';

const checkWait = ({ resumeAt, resumeTokenHash, childExecutionId }: WaitEntry): void => {
  if (resumeAt === undefined && resumeTokenHash === '' && childExecutionId === '') {
    throw new InvalidRequest('A wait would never end.', [
      { field: 'entries', message: 'must have resumeAt, resumeTokenHash or childExecutionId' },
    ]);
  }
};

/** @throws LimitExceeded */
const encodeSettings = (settings: WaitSettings): Buffer => {
  const bytes = Buffer.from(WaitSettings.encode(settings).finish());
  checkLimit(LIMITS.resumeSettings, bytes.length);
  return bytes;
};

const waitOf = (message: WaitEntry): Wait => {
  checkWait(message);
  const { nodeRuns, resumeAt, resumeTokenHash, childExecutionId, resumeSettings, response, ...entry } = message;
  return {
    ...entry,
    nodeRuns: fromNodeRunMessages(nodeRuns),
    ...(resumeAt === undefined ? {} : { resumeAt }),
    tokenHash: checkTokenHash(resumeTokenHash),
    ...(resumeSettings === undefined ? {} : { settings: encodeSettings(resumeSettings) }),
    ...(childExecutionId === '' ? {} : { childId: childExecutionId }),
    ...(response === undefined ? {} : { response: checkedResponse(response) }),
  };
};

/** Wait: entry by entry. */
export const waitHandler =
  (wait: WaitExecution, processEntries: ProcessEntries): Handlers<typeof RunnerServiceService>['wait'] =>
  ({ entries }) =>
    processEntries(entries, (entry) => wait(waitOf(entry)));
