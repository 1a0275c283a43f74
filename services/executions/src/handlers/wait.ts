import type { RunnerServiceService, WaitEntry } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import type { Wait, WaitExecution } from '../domain/wait-execution';
import { sentNodeRuns } from './node-run-message';
import { sentAnswer } from './respond';
import { checkTokenHash } from './token-hash';
import { checkLength, verdictMessage } from './verdict-message';

/** Characters of what a runner says about the callers it waits for: it lies in the document. */
const MAX_SETTINGS = 512 * 1024;

const checkWait = ({ resumeAt, resumeTokenHash, childExecutionId, resumeSettingsJson = '' }: WaitEntry): void => {
  if (resumeAt === undefined && resumeTokenHash === '' && childExecutionId === '') {
    throw new InvalidRequest('A wait would never end.', [{ field: 'entries', description: 'Give resumeAt, resumeTokenHash or childExecutionId.' }]);
  }
  if (resumeSettingsJson.length > MAX_SETTINGS) {
    throw new InvalidRequest('A wait is not valid.', [{ field: 'entries.resumeSettingsJson', description: `Give at most ${MAX_SETTINGS} characters.` }]);
  }
};

const waitOf = (message: WaitEntry): Wait => {
  checkWait(message);
  const { nodeRuns, resumeAt, resumeTokenHash, childExecutionId, resumeSettingsJson, answer, ...entry } = message;
  return {
    ...entry,
    nodeRuns: sentNodeRuns(nodeRuns),
    ...(resumeAt === undefined ? {} : { resumeAt }),
    tokenHash: checkTokenHash(resumeTokenHash),
    ...(resumeSettingsJson === undefined ? {} : { settings: resumeSettingsJson }),
    ...(childExecutionId === '' ? {} : { childId: childExecutionId }),
    ...(answer === undefined ? {} : { answer: sentAnswer(answer) }),
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
