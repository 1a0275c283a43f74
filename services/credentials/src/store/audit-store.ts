import { createBatcher } from '@weft/service-kit/batching';
import { uuidv7 } from '@weft/service-kit/ids';
import { withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { AuditEntry, RecordAudit } from '../domain/audit/audit';
import { auditSchema, type AuditDocument } from './audit-schema';

const DAY_MS = 86_400_000;

/** Writes audit records; those that come together go out as one batch. */
export const createRecordAudit = (connection: Connection, keptDays: number): RecordAudit => {
  const model = connection.model('Audit', auditSchema);
  const toDocument = ({ id, action, actor, about }: AuditEntry): AuditDocument => {
    const at = new Date();
    return {
      _id: id ?? uuidv7(),
      at,
      action,
      actor,
      about: { ...about },
      expireAt: new Date(at.getTime() + keptDays * DAY_MS),
    };
  };
  const record = createBatcher<AuditEntry, true>({
    maxBatch: 200,
    concurrency: 2,
    maxQueued: 5_000,
    flush: async (entries) => {
      const documents = entries.map(toDocument);
      await withStore(() =>
        model.bulkWrite(
          documents.map(({ _id, ...rest }) => ({
            updateOne: { filter: { _id }, update: { $setOnInsert: rest }, upsert: true },
          })),
          { ordered: false },
        ),
      );
      return entries.map(() => true);
    },
  });
  return async (entry) => {
    await record(entry);
  };
};
