import { isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import { Schema, type Connection } from 'mongoose';
import type { UseAttempt } from '../domain/oauth2/finish-login';

/** An attempt to sign in that was completed, until it would have expired. */
interface UsedAttemptDocument {
  _id: string;
  expireAt: Date;
}

const usedAttemptSchema = new Schema<UsedAttemptDocument>(
  { _id: { type: String, required: true }, expireAt: { type: Date, required: true } },
  { collection: 'usedLoginAttempts', versionKey: false, strict: 'throw' },
);

/** Creates the store. Of several concurrent uses, one inserts the document. */
export const createUseAttempt = (connection: Connection): UseAttempt => {
  const model = connection.model('UsedLoginAttempt', usedAttemptSchema);
  return (id, expiresAt) =>
    withStore(async () => {
      try {
        await model.create({ _id: id, expireAt: expiresAt });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    });
};
