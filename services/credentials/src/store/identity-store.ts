import { isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import { createHash } from 'node:crypto';
import { Schema, type Connection } from 'mongoose';
import type { Identity, IdentityStore } from '../domain/identities/identity';
import { queries } from './queries';

/** `_id` is a hash of issuer and subject, which makes each identity unique. */
interface IdentityDocument {
  _id: string;
  issuer: string;
  subject: string;
  userId: string;
  createdAt: Date;
}

const string = { type: String, required: true } as const;

const identitySchema = new Schema<IdentityDocument>(
  { _id: string, issuer: string, subject: string, userId: string, createdAt: { type: Date, required: true } },
  { collection: 'identities', versionKey: false, strict: 'throw' },
);

const idOf = ({ issuer, subject }: Identity): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url');

export const createIdentityStore = (connection: Connection): IdentityStore => {
  const model = connection.model('Identity', identitySchema);
  const findUser = (identity: Identity): Promise<string | undefined> =>
    withStore(async () => (await model.findById(idOf(identity)).select('userId').lean())?.userId);
  return {
    findUser,
    link: async ({ issuer, subject }, userId, createdAt) => {
      await withStore(async () => {
        try {
          const made = { issuer, subject, userId, createdAt };
          await model.updateOne({ _id: idOf(made) }, { $setOnInsert: made }, { upsert: true });
        } catch (error) {
          // The user has another identity of this issuer, or another request was faster.
          if (!isDuplicateKey(error)) throw error;
        }
      });
      return (await findUser({ issuer, subject })) === userId;
    },
    removeOf: (userId) =>
      withStore(async () => {
        await model.deleteMany(queries.identitiesOfUser(userId).filter);
      }),
  };
};
