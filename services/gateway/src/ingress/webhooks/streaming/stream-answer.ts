import { type ExecutionStart, StartWait } from '@weft/proto/executions';
import type { WebhookStart } from '../start-from-webhook';
import { LONG_CALL, repeatUntil, WAIT_MS } from './repeat-until';
import { streamLines } from './stream-lines';

/**
 * Starts the run of a webhook call, and responds with lines of JSON while its nodes write text. The start has the id of
 * its execution, so its repetition only waits on.
 * @throws ServiceError before the response has begun
 */
export const streamAnswer = (call: WebhookStart, start: ExecutionStart): Promise<void> => {
  const { response, clients, executionId, webhook, settings, underWay } = call;
  const { executions } = clients;
  return streamLines(
    { response, clients, underWay, executionId, ownerId: webhook.ownerId, headers: settings.responseHeaders },
    (signal) =>
      repeatUntil(async (isRepeated) => {
        const run = await executions.startByItself(
          // Without this mark the run would be begun again: it may exist only in the memory of a replica.
          { ...start, wait: StartWait.START_WAIT_RESPONSE, waitMs: WAIT_MS, repeatedStart: isRepeated },
          LONG_CALL,
        );
        return run.response !== undefined || run.ended !== undefined ? run : undefined;
      }, signal),
  );
};
