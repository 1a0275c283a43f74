import { Schema, trusted, type Connection } from 'mongoose';
import type { Logger } from '../logging';
import { isDuplicateKey, withStore } from '../mongo';
import type { KeyRecord, KeyRecordStore } from './key-record';
import type { RepeatDeps } from './repeatable';

interface KeyDocument {
  _id: string;
  ownerId: string;
  requestHash: string;
  createdId: string;
  leaseUntil: Date;
  expireAt: Date;
  isDone: boolean;
  response?: Buffer;
}

const string = { type: String, required: true } as const;
const date = { type: Date, required: true } as const;

const keySchema = new Schema<KeyDocument>(
  {
    _id: string,
    ownerId: string,
    requestHash: string,
    createdId: string,
    leaseUntil: date,
    expireAt: date,
    isDone: { type: Boolean, required: true },
    response: Buffer,
  },
  { versionKey: false, strict: 'throw' },
);

/** Collection of the keys. It is not backed up: a restored database may lack the objects that they created. */
export const IDEMPOTENCY_COLLECTION = 'idempotencyKeys';

/** Indexes of the collection. */
export const IDEMPOTENCY_INDEXES = [
  { key: { ownerId: 1 }, name: 'ownerId' },
  { key: { expireAt: 1 }, name: 'expireAt', expireAfterSeconds: 0 },
] as const;

const toRecord = ({ _id, response, ...rest }: KeyDocument): KeyRecord => ({
  id: _id,
  ...rest,
  // The driver returns its own class for bytes.
  ...(response === undefined ? {} : { response: Buffer.from(response.buffer) }),
});

/** Keys in MongoDB. */
const createKeyRecordStore = (connection: Connection): KeyRecordStore => {
  const model = connection.model<KeyDocument>('IdempotencyKey', keySchema, IDEMPOTENCY_COLLECTION);
  return {
    insert: ({ id, response: _response, ...record }) =>
      withStore(async () => {
        try {
          await model.create({ _id: id, ...record });
          return true;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),
    find: async (id) => {
      const found = await withStore(() => model.findById(id).lean<KeyDocument>().exec());
      return found === null ? undefined : toRecord(found);
    },
    countOf: (ownerId, limit) => withStore(() => model.countDocuments({ ownerId }).limit(limit).exec()),
    takeOver: (id, expected, leaseUntil) =>
      withStore(async () => {
        const filter = { _id: id, isDone: false, leaseUntil: trusted({ $eq: expected }) };
        return (await model.updateOne(filter, { $set: { leaseUntil } }).exec()).matchedCount === 1;
      }),
    finish: async (id, response) => {
      const done = { isDone: true, ...(response === undefined ? {} : { response: Buffer.from(response) }) };
      await withStore(() => model.updateOne({ _id: id }, { $set: done }).exec());
    },
    release: async (id, expected) => {
      const filter = { _id: id, isDone: false, leaseUntil: trusted({ $eq: expected }) };
      await withStore(() => model.updateOne(filter, { $set: { leaseUntil: new Date(0) } }).exec());
    },
    remove: async (id, expected) => {
      await withStore(() => model.deleteOne({ _id: id, leaseUntil: trusted({ $eq: expected }) }).exec());
    },
  };
};

/** Database, logger and secret of a service with repeatable methods. */
export interface RepeatOptions extends Pick<RepeatDeps, 'now' | 'secret'> {
  readonly connection: Connection;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Dependencies of repeatable methods, with keys in MongoDB. */
export const createRepeatDeps = ({ connection, now, secret, logger }: RepeatOptions): RepeatDeps => ({
  store: createKeyRecordStore(connection),
  now,
  secret,
  onUnrecorded: (err) => logger.warn({ err }, 'the outcome of a repeatable call was not recorded'),
});
