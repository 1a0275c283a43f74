import type { NodeRun as NodeRunMessage } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { SentNodeRun } from '../domain/store-step';

const MAX_NODE_NAME = 1_000;

/** Node runs as the domain takes them. @throws InvalidRequest for a run without a record, or with too long a name. */
export const sentNodeRuns = (messages: readonly NodeRunMessage[]): SentNodeRun[] =>
  messages.map(({ node, run, executionIndex, failed, recordJson, chunkId }) => {
    if (node.length > MAX_NODE_NAME) throw new InvalidRequest('A node name is too long.', [{ field: 'nodeRuns', description: `Use at most ${MAX_NODE_NAME} characters.` }]);
    if (recordJson.length === 0 && chunkId === '') throw new InvalidRequest('A node run has no record.', [{ field: 'nodeRuns', description: 'Give recordJson or chunkId.' }]);
    return { node, run, seq: executionIndex, failed, ...(chunkId === '' ? { record: recordJson } : { uploadId: chunkId }) };
  });
