import { withStore } from '@weft/service-kit/mongo';
import { trusted, type Connection } from 'mongoose';
import type { SignInWindowStore } from '../domain/sessions/sign-in-limit';
import { countInWindow } from './count-in-window';
import { signInWindowSchema } from './sign-in-window-schema';

/** How long the level of a window that ended is remembered, in milliseconds. */
const KEPT_MS = 3_600_000;

const AFTER = { returnDocument: 'after' } as const;

const keptUntil = (endsAt: Date): Date => new Date(endsAt.getTime() + KEPT_MS);

/** Sign-in windows in the store. */
export const createSignInWindowStore = (connection: Connection): SignInWindowStore => {
  const model = connection.model('SignInWindow', signInWindowSchema);
  return {
    count: async (id, now, endsAt) => {
      const opened = { attempts: 1, endsAt, expireAt: keptUntil(endsAt) };
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
        await model.updateOne({ _id: id, level }, { $set: { endsAt, expireAt: keptUntil(endsAt), level: level + 1 } });
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
