import { isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import { Unavailable } from '@weft/service-kit/errors';
import { trusted, type Connection } from 'mongoose';
import type { CountedWindow, RateWindowStore } from '../domain/api-keys/rate-window';
import { rateWindowSchema } from './rate-window-schema';

const KEPT_MS = 3_600_000;

/** One of two racing replicas opens a new minute, the other finds it open on its second look; more tries are for faults. */
const TRIES = 5;

/** Rate windows in the store. */
export const createRateWindowStore = (connection: Connection): RateWindowStore => {
  const model = connection.model('RateWindow', rateWindowSchema);

  /** A window up to a minute ahead was opened by a replica with a faster clock, and counts; one further ahead is a fault. */
  const countInOpenWindow = (id: string, minute: number, requests: number): Promise<CountedWindow | null> =>
    model.findOneAndUpdate({ _id: id, minute: trusted({ $gte: minute, $lte: minute + 1 }) }, { $inc: { used: requests } }, { returnDocument: 'after' }).lean();

  const openWindow = async (id: string, minute: number, requests: number): Promise<CountedWindow | undefined> => {
    const expireAt = new Date(minute * 60_000 + KEPT_MS);
    try {
      const opened = await model
        .findOneAndUpdate({ _id: id, minute: trusted({ $not: { $gte: minute, $lte: minute + 1 } }) }, { $set: { minute, used: requests, expireAt } }, { returnDocument: 'after', upsert: true })
        .lean();
      return opened ?? undefined;
    } catch (error) {
      // Somebody else opened it in between: it is there to be counted in.
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  };

  return {
    count: async (id, minute, requests) => {
      for (let attempt = 0; attempt < TRIES; attempt += 1) {
        const counted = (await withStore(() => countInOpenWindow(id, minute, requests))) ?? (await withStore(() => openWindow(id, minute, requests)));
        if (counted !== undefined) return { minute: counted.minute, used: counted.used };
      }
      throw new Unavailable('The rate limit cannot be counted now.');
    },
  };
};
