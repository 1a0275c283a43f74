import type { NodeRun as NodeRunMessage } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import { checkLimit, LIMITS } from '@weft/service-kit/limits';
import type { SentNodeRun } from '../domain/store-step';

/**
 * Node runs as the domain takes them.
 * @throws InvalidRequest for a run without a record, LimitExceeded for too long a name.
 */
export const fromNodeRunMessages = (messages: readonly NodeRunMessage[]): SentNodeRun[] =>
  messages.map(({ node, run, executionIndex, failed, recordJson, chunkId }) => {
    checkLimit(LIMITS.nodeName, node.length);
    if (recordJson.length === 0 && chunkId === '')
      throw new InvalidRequest('A node run has no record.', [
        { field: 'nodeRuns', message: 'must have recordJson or chunkId' },
      ]);
    return {
      node,
      run,
      executionIndex,
      failed,
      ...(chunkId === '' ? { record: recordJson } : { uploadId: chunkId }),
    };
  });
