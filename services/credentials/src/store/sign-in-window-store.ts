import { Unavailable } from '@weft/service-kit/errors';
import { isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import { trusted, type Connection } from 'mongoose';
import type { SignInWindow, SignInWindowStore } from '../domain/sessions/sign-in-limit';
import { signInWindowSchema } from './sign-in-window-schema';

/** How long the level of a window that ended is remembered, in milliseconds. */
const KEPT_MS = 3_600_000;

const TRIES = 5;

const AFTER = { returnDocument: 'after' } as const;

const keptUntil = (endsAt: Date): Date => new Date(endsAt.getTime() + KEPT_MS);

/** Sign-in windows in the store. */
export const createSignInWindowStore = (connection: Connection): SignInWindowStore => {
  const model = connection.model('SignInWindow', signInWindowSchema);

  const countInOpenWindow = (id: string, now: Date): Promise<SignInWindow | null> =>
    model.findOneAndUpdate({ _id: id, endsAt: trusted({ $gt: now }) }, { $inc: { attempts: 1 } }, AFTER).lean();

  const openWindow = async (id: string, now: Date, endsAt: Date): Promise<SignInWindow | null> => {
    try {
      return await model
        .findOneAndUpdate({ _id: id, endsAt: trusted({ $lte: now }) }, { $set: { attempts: 1, endsAt, expireAt: keptUntil(endsAt) }, $setOnInsert: { level: 0 } }, { ...AFTER, upsert: true })
        .lean();
    } catch (error) {
      // Another attempt opened it in between: it is there to be counted in.
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  };

  return {
    count: async (id, now, endsAt) => {
      for (let tried = 0; tried < TRIES; tried += 1) {
        const window = (await withStore(() => countInOpenWindow(id, now))) ?? (await withStore(() => openWindow(id, now, endsAt)));
        if (window !== null) return { attempts: window.attempts, endsAt: window.endsAt, level: window.level };
      }
      throw new Unavailable('The attempts to sign in cannot be counted now.');
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
