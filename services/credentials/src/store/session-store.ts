import { withStore } from '@weft/service-kit/mongo';
import { trusted, type Connection } from 'mongoose';
import { endOf, type Session, type SessionStore } from '../domain/sessions/session';
import { queries } from './queries';
import { sessionSchema, type SessionDocument } from './session-schema';

const toSession = ({ _id, userId, createdAt, lastSeenAt, expiresAt }: SessionDocument): Session => ({
  id: _id,
  userId,
  createdAt,
  lastSeenAt,
  expiresAt,
});

/** Most sessions that are ended in one go. */
const MAX_ENDED = 1_000;

/** Sessions in the store. */
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
        await model.deleteOne({ _id: id });
      }),
    keepNewest: (userId, count) =>
      withStore(async () => {
        const { filter, sort } = queries.sessionsOfUser(userId);
        const old = await model.find(filter).sort(sort).skip(count).limit(MAX_ENDED).select('_id').lean();
        if (old.length > 0) await model.deleteMany({ _id: trusted({ $in: old.map(({ _id }) => _id) }) });
      }),
  };
};
