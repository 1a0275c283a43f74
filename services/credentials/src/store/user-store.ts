import type { Role } from '@weft/service-kit/auth';
import { isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import { Schema, trusted, type Connection } from 'mongoose';
import type { User, UserStore } from '../domain/users/user';
import { batchedReads } from './batched-reads';
import { queries } from './queries';

/** A document of the collection `users`. */
interface UserDocument {
  _id: string;
  email: string;
  role: Role;
  passwordHash: string;
  createdAt: Date;
}

const string = { type: String, required: true } as const;

const userSchema = new Schema<UserDocument>(
  { _id: string, email: string, role: string, passwordHash: string, createdAt: { type: Date, required: true } },
  { collection: 'users', versionKey: false, strict: 'throw' },
);

const toUser = ({ _id, email, role, createdAt }: Omit<UserDocument, 'passwordHash'>): User => ({
  id: _id,
  email,
  role,
  createdAt,
});

const PUBLIC = '-passwordHash';

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
  return {
    insert: ({ id, ...rest }) =>
      withStore(async () => {
        try {
          await model.updateOne({ _id: id }, { $setOnInsert: rest }, { upsert: true });
          return true;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),
    findById: batchedReads(findByIds),
    findByIds,
    findByEmail: (email) =>
      withStore(async () => {
        const found = await model.findOne(queries.userByEmail(email).filter).lean();
        return found === null ? undefined : { ...toUser(found), passwordHash: found.passwordHash };
      }),
    findOwner: () =>
      withStore(async () => {
        const found = await model.findOne(queries.owner().filter).select(PUBLIC).lean();
        return found === null ? undefined : toUser(found);
      }),
    page: (afterId, limit) =>
      withStore(async () => {
        const { filter, sort } = queries.userPage(afterId);
        return (await model.find(filter).sort(sort).limit(limit).select(PUBLIC).lean()).map(toUser);
      }),
  };
};
