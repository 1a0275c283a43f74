import { withStore } from '@weft/service-kit/mongo';
import { Schema, trusted, type Connection } from 'mongoose';
import type { SignInWindowStore } from '../domain/users/sign-in-limit';
import { countInWindow } from '@weft/service-kit/mongo';

/** One per account or address with attempts. */
interface SignInWindowDocument {
  _id: string;
  attempts: number;
  endsAt: Date;
  level: number;
  expireAt: Date;
}

const number = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;

const signInWindowSchema = new Schema<SignInWindowDocument>(
  { _id: { type: String, required: true }, attempts: number, endsAt: date, level: number, expireAt: date },
  { collection: 'signInWindows', versionKey: false, strict: 'throw' },
);

/** Retention of the level after the end of a window, in milliseconds. */
const RETENTION_MS = 3_600_000;

const AFTER = { returnDocument: 'after' } as const;

const expiryOf = (endsAt: Date): Date => new Date(endsAt.getTime() + RETENTION_MS);

export const createSignInWindowStore = (connection: Connection): SignInWindowStore => {
  const model = connection.model('SignInWindow', signInWindowSchema);
  return {
    count: async (id, now, endsAt) => {
      const opened = { attempts: 1, endsAt, expireAt: expiryOf(endsAt) };
      const {
        attempts,
        endsAt: end,
        level,
      } = await countInWindow({
        countInOpen: () =>
          model.findOneAndUpdate({ _id: id, endsAt: trusted({ $gt: now }) }, { $inc: { attempts: 1 } }, AFTER).lean(),
        reopen: () =>
          model.findOneAndUpdate({ _id: id, endsAt: trusted({ $lte: now }) }, { $set: opened }, AFTER).lean(),
        insert: async () => {
          const first = { ...opened, level: 0 };
          await model.create({ _id: id, ...first });
          return first;
        },
      });
      return { attempts, endsAt: end, level };
    },
    extend: (id, level, endsAt) =>
      withStore(async () => {
        await model.updateOne({ _id: id, level }, { $set: { endsAt, expireAt: expiryOf(endsAt), level: level + 1 } });
      }),
    forgive: (id) =>
      withStore(async () => {
        await model.updateOne({ _id: id, attempts: trusted({ $gt: 0 }) }, { $inc: { attempts: -1 } });
      }),
    clear: (id) =>
      withStore(async () => {
        await model.deleteOne({ _id: id });
      }),
  };
};
