import type { ExecutionRecord } from '../../src/domain/state/execution';
import type { ApplyWrite, ClaimExecutions, ReadExecution } from '../../src/domain/state/ports';
import { meets, operate, snapshotOf } from '../../src/domain/state/operate';
import { isHeldByClaim } from '../../src/domain/state/run-writes';
import { judge } from '../../src/domain/state/write-outcome';
import type { Write } from '../../src/domain/state/write';

/** Subject of histories. */
export interface Subject {
  readonly insert: (record: ExecutionRecord) => Promise<void>;
  readonly apply: ApplyWrite;
  readonly claim: ClaimExecutions;
  readonly read: ReadExecution;
}

/** The state table interpreted in memory, without a store. */
export const createMemoryStore = (): Subject => {
  const documents = new Map<string, ExecutionRecord>();
  let writes = 0;
  const tryWrite = (id: string, write: Write): { document: ExecutionRecord | undefined; batchId: string } => {
    writes += 1;
    const batchId = `m${writes}`;
    const document = documents.get(id);
    if (document !== undefined && meets(document, write)) documents.set(id, { ...operate(document, write), batchId });
    return { document: documents.get(id), batchId };
  };
  return {
    insert: async (record) => {
      documents.set(record._id, record);
    },
    apply: async (id, write) => {
      const { document, batchId } = tryWrite(id, write);
      const found = document === undefined ? undefined : snapshotOf(document);
      const outcome = judge(write, found, batchId);
      return outcome === 'applied' || found === undefined ? { outcome } : { outcome, found };
    },
    claim: async (ids, { claimId, attempt, take, renew }) => {
      for (const id of ids) {
        tryWrite(id, take);
        tryWrite(id, renew);
      }
      return ids
        .flatMap((id) => documents.get(id) ?? [])
        .filter((document) => isHeldByClaim(document, { claimId, attempt }));
    },
    read: async (id) => documents.get(id),
  };
};
