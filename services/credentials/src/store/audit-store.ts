import { createBatcher } from '@weft/service-kit/batching';
import { uuidv7 } from '@weft/service-kit/ids';
import { withStore } from '@weft/service-kit/mongo';
import { Schema, type Connection } from 'mongoose';
import type { AuditEntry, RecordAudit } from '../domain/audit';

/** A document of the collection `audit`. */
interface AuditDocument {
  _id: string;
  at: Date;
  action: string;
  actor: string;
  about: Record<string, string>;
  expireAt: Date;
}

const string = { type: String, required: true } as const;
const date = { type: Date, required: true } as const;

const auditSchema = new Schema<AuditDocument>(
  {
    _id: string,
    at: date,
    action: string,
    actor: string,
    about: { type: Schema.Types.Mixed, required: true },
    expireAt: date,
  },
  { collection: 'audit', versionKey: false, strict: 'throw', minimize: false },
);

const DAY_MS = 86_400_000;

/** Writes audit records, concurrent ones in one batch. @param retentionDays of a record. */
export const createRecordAudit = (connection: Connection, retentionDays: number): RecordAudit => {
  const model = connection.model('Audit', auditSchema);
  const toDocument = ({ id, action, actor, about }: AuditEntry): AuditDocument => {
    const at = new Date();
    return {
      _id: id ?? uuidv7(),
      at,
      action,
      actor,
      about: { ...about },
      expireAt: new Date(at.getTime() + retentionDays * DAY_MS),
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
  return async function recordAudit(entry) {
    await record(entry);
  };
};
