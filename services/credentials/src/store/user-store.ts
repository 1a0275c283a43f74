import type { Role } from '@weft/service-kit/auth';
import { deleteMatching, isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import { Schema, trusted, type Connection } from 'mongoose';
import type { StoredUser, User, UserStore } from '../domain/users/user';
import { batchedReads } from './batched-reads';
import { queries } from './queries';

/** A document of the collection `users`. */
interface UserDocument {
  _id: string;
  email: string;
  role: Role;
  passwordHash: string;
  name?: string;
  createdAt: Date;
  lockedAt?: Date;
  /** The owner with whom the instance began: an index allows only one. */
  isFirst?: true;
  /** Mark of the operation by which an owner stops being one. */
  leaving?: string;
}

const string = { type: String, required: true } as const;

const userSchema = new Schema<UserDocument>(
  {
    _id: string,
    email: string,
    role: string,
    passwordHash: string,
    name: String,
    createdAt: { type: Date, required: true },
    lockedAt: Date,
    isFirst: Boolean,
    leaving: String,
  },
  { collection: 'users', versionKey: false, strict: 'throw' },
);

const toUser = ({ _id, email, role, name, createdAt, lockedAt }: Omit<UserDocument, 'passwordHash'>): User => ({
  id: _id,
  email,
  role,
  createdAt,
  ...(name === undefined ? {} : { name }),
  ...(lockedAt === undefined ? {} : { lockedAt }),
});

const PUBLIC = '-passwordHash';

const ABSENT = { $exists: false } as const;

/** Matches the user if it is as it was read. */
const asSeen = ({ id, role, lockedAt }: User) => ({
  _id: id,
  role,
  lockedAt: trusted(lockedAt === undefined ? ABSENT : { $eq: lockedAt }),
});

/** Users in the store. */
export const createUserStore = (connection: Connection): UserStore => {
  const model = connection.model('User', userSchema);
  const findByIds: UserStore['findByIds'] = (ids) =>
    withStore(async () =>
      ids.length === 0
        ? []
        : (
            await model
              .find({ _id: trusted({ $in: ids }) })
              .select(PUBLIC)
              .lean()
          ).map(toUser),
    );
  const insert = ({ id, ...rest }: StoredUser, first: Pick<UserDocument, 'isFirst'>): Promise<boolean> =>
    withStore(async () => {
      try {
        await model.updateOne({ _id: id }, { $setOnInsert: { ...rest, ...first } }, { upsert: true });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    });
  return {
    insert: (user) => insert(user, {}),
    insertFirstOwner: (user) => insert(user, { isFirst: true }),
    findById: batchedReads(findByIds),
    findByIds,
    findByEmail: (email) =>
      withStore(async () => {
        const found = await model.findOne(queries.userByEmail(email).filter).lean();
        return found === null ? undefined : { ...toUser(found), passwordHash: found.passwordHash };
      }),
    findOwner: () =>
      withStore(async () => {
        const found = await model.findOne(queries.owners().filter).select(PUBLIC).lean();
        return found === null ? undefined : toUser(found);
      }),
    page: (afterId, limit) =>
      withStore(async () => {
        const { filter, sort } = queries.userPage(afterId);
        return (await model.find(filter).sort(sort).limit(limit).select(PUBLIC).lean()).map(toUser);
      }),
    markLeaving: (id, leaving) =>
      withStore(async () => {
        const active = { _id: id, role: 'owner', lockedAt: trusted(ABSENT) } as const;
        return (await model.updateOne(active, { $set: { leaving } })).matchedCount === 1;
      }),
    unmarkLeaving: (id, leaving) =>
      withStore(async () => {
        await model.updateOne({ _id: id, leaving }, { $unset: { leaving: 1 } });
      }),
    hasStayingOwner: (exceptId) =>
      withStore(async () => {
        const owners = await model.find(queries.owners().filter).select('lockedAt leaving').lean();
        return owners.some(
          ({ _id, lockedAt, leaving }) => _id !== exceptId && lockedAt === undefined && leaving === undefined,
        );
      }),
    change: (seen, { role, lockedAt }, mark) =>
      withStore(async () => {
        const { matchedCount } = await model.updateOne(
          { ...asSeen(seen), ...(mark === undefined ? {} : { leaving: mark }) },
          {
            $set: { ...(role === undefined ? {} : { role }), ...(lockedAt instanceof Date ? { lockedAt } : {}) },
            $unset: { leaving: 1, ...(lockedAt === null ? { lockedAt: 1 } : {}) },
          },
        );
        return matchedCount === 1;
      }),
    setPassword: (id, passwordHash) =>
      withStore(async () => {
        const active = { _id: id, lockedAt: trusted(ABSENT) };
        return (await model.updateOne(active, { $set: { passwordHash } })).matchedCount === 1;
      }),
    remove: (seen) => withStore(async () => (await deleteMatching(model, asSeen(seen))) > 0),
  };
};
