import { Schema, trusted, type Connection } from 'mongoose';
import type { RateWindowStore } from '../domain/api-keys/rate-window';
import { countInWindow } from '@weft/service-kit/mongo';

/** One per holder of a limit. */
interface RateWindowDocument {
  _id: string;
  minute: number;
  used: number;
  /** Long after the window, so that documents of deleted holders are removed. */
  expireAt: Date;
}

const number = { type: Number, required: true } as const;

const rateWindowSchema = new Schema<RateWindowDocument>(
  { _id: { type: String, required: true }, minute: number, used: number, expireAt: { type: Date, required: true } },
  { collection: 'rateWindows', versionKey: false, strict: 'throw' },
);

const MINUTE_MS = 60_000;
const RETENTION_MS = 3_600_000;

const AFTER = { returnDocument: 'after' } as const;

export const createRateWindowStore = (connection: Connection): RateWindowStore => {
  const model = connection.model('RateWindow', rateWindowSchema);
  return {
    count: async (id, minute, requests) => {
      // A window up to a minute ahead was opened by a replica with a faster clock, and counts; one further ahead is
      // invalid.
      const open = { $gte: minute, $lte: minute + 1 };
      const opened = { minute, used: requests, expireAt: new Date(minute * MINUTE_MS + RETENTION_MS) };
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
