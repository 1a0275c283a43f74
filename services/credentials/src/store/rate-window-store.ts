import { trusted, type Connection } from 'mongoose';
import type { RateWindowStore } from '../domain/api-keys/rate-window';
import { countInWindow } from './count-in-window';
import { rateWindowSchema } from './rate-window-schema';

const KEPT_MS = 3_600_000;

const AFTER = { returnDocument: 'after' } as const;

/** Rate windows in the store. */
export const createRateWindowStore = (connection: Connection): RateWindowStore => {
  const model = connection.model('RateWindow', rateWindowSchema);
  return {
    count: async (id, minute, requests) => {
      // A window up to a minute ahead was opened by a replica with a faster clock, and counts; one further ahead is a
      // fault.
      const open = { $gte: minute, $lte: minute + 1 };
      const opened = { minute, used: requests, expireAt: new Date(minute * 60_000 + KEPT_MS) };
      const window = await countInWindow({
        countInOpen: () =>
          model.findOneAndUpdate({ _id: id, minute: trusted(open) }, { $inc: { used: requests } }, AFTER).lean(),
        reopen: () =>
          model.findOneAndUpdate({ _id: id, minute: trusted({ $not: open }) }, { $set: opened }, AFTER).lean(),
        insert: async () => {
          await model.create({ _id: id, ...opened });
          return opened;
        },
      });
      return { minute: window.minute, used: window.used };
    },
  };
};
