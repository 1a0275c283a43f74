import { deleteMatching, withStore } from '@weft/service-kit/mongo';
import { Schema, trusted, type Connection } from 'mongoose';
import { endOf, type Session, type SessionStore } from '../domain/sessions/session';
import { queries } from './queries';

/** `_id` is the hash of the token. */
interface SessionDocument {
  _id: string;
  userId: string;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  /** End of the session if it is not used again; the document is then removed. */
  expireAt: Date;
}

const string = { type: String, required: true } as const;
const date = { type: Date, required: true } as const;

const sessionSchema = new Schema<SessionDocument>(
  { _id: string, userId: string, createdAt: date, lastSeenAt: date, expiresAt: date, expireAt: date },
  { collection: 'sessions', versionKey: false, strict: 'throw' },
);

const toSession = ({ _id, userId, createdAt, lastSeenAt, expiresAt }: SessionDocument): Session => ({
  id: _id,
  userId,
  createdAt,
  lastSeenAt,
  expiresAt,
});

/** Batch size of removals. */
const MAX_REMOVED = 1_000;

export const createSessionStore = (connection: Connection): SessionStore => {
  const model = connection.model('Session', sessionSchema);
  return {
    insert: ({ id, ...session }) =>
      withStore(async () => {
        await model.updateOne(
          { _id: id },
          { $setOnInsert: { ...session, expireAt: endOf(session) } },
          { upsert: true },
        );
      }),
    findById: (id) =>
      withStore(async () => {
        const found = await model.findById(id).lean();
        return found === null ? undefined : toSession(found);
      }),
    touch: ({ id, expiresAt }, at) =>
      withStore(async () => {
        await model.updateOne(
          { _id: id, lastSeenAt: trusted({ $lt: at }) },
          { $set: { lastSeenAt: at, expireAt: endOf({ expiresAt, lastSeenAt: at }) } },
        );
      }),
    remove: (id) =>
      withStore(async () => {
        await deleteMatching(model, { _id: id });
      }),
    removeOf: (userId) =>
      withStore(async () => {
        await deleteMatching(model, queries.sessionsOfUser(userId).filter);
      }),
    keepNewest: (userId, count) =>
      withStore(async () => {
        const { filter, sort } = queries.sessionsOfUser(userId);
        const old = await model.find(filter).sort(sort).skip(count).limit(MAX_REMOVED).select('_id').lean();
        if (old.length > 0) await deleteMatching(model, { _id: trusted({ $in: old.map(({ _id }) => _id) }) });
      }),
  };
};
