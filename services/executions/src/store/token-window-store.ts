import { countInWindow, type Index, withStore } from '@weft/service-kit/mongo';
import { Schema, trusted, type Connection } from 'mongoose';
import type { TokenWindow, TokenWindowStore } from '../domain/step/count-model-tokens';

/** One per owner. */
interface TokenWindowDocument {
  _id: string;
  day: number;
  used: number;
  expireAt: Date;
}

const number = { type: Number, required: true } as const;

const schema = new Schema<TokenWindowDocument>(
  { _id: { type: String, required: true }, day: number, used: number, expireAt: { type: Date, required: true } },
  {
    collection: 'modelTokenWindows',
    versionKey: false,
    strict: 'throw',
    autoIndex: false,
    autoCreate: false,
    id: false,
  },
);

/** The index deletes windows of owners that call no models any more. */
export const TOKEN_WINDOW_INDEXES: readonly Index[] = [{ key: { expireAt: 1 }, name: 'expiry', expireAfterSeconds: 0 }];

const DAY_MS = 86_400_000;
/** After the beginning of its day. */
const RETENTION_MS = 3 * DAY_MS;

const AFTER = { returnDocument: 'after' } as const;

/** Windows of tokens, each a document that is changed by atomic writes. */
export const createTokenWindowStore = (connection: Connection): TokenWindowStore => {
  const model = connection.model<TokenWindowDocument>('ModelTokenWindow', schema);
  const windowOf = ({ day, used }: TokenWindowDocument, counted: boolean): TokenWindow => ({ day, used, counted });
  const openOf = (ownerId: string, day: number) => ({
    _id: ownerId,
    // A window of the next day was opened by a replica with a faster clock; one further ahead is invalid.
    day: trusted({ $gte: day, $lte: day + 1 }),
  });
  const find = (ownerId: string, day: number) => model.findOne(openOf(ownerId, day)).lean<TokenWindowDocument>();
  const add = (ownerId: string, day: number, tokens: number, within: object) =>
    model.findOneAndUpdate({ ...openOf(ownerId, day), ...within }, { $inc: { used: tokens } }, AFTER);

  const giveBack = async (ownerId: string, day: number, tokens: number): Promise<TokenWindow> => {
    const enough = { used: trusted({ $gte: -tokens }) };
    const left = await withStore(() => add(ownerId, day, tokens, enough).lean<TokenWindowDocument>());
    if (left !== null) return windowOf(left, true);
    // The day has changed since they were counted.
    const found = await withStore(() => find(ownerId, day));
    return found === null ? { day, used: 0, counted: true } : windowOf(found, true);
  };

  return {
    count: async (ownerId, day, tokens, limit) => {
      if (tokens < 0) return giveBack(ownerId, day, tokens);
      const within = limit === undefined ? {} : { used: trusted({ $lte: limit - tokens, $lt: limit }) };
      const opened = { day, used: tokens, expireAt: new Date(day * DAY_MS + RETENTION_MS) };
      const fits = limit === undefined || tokens <= limit;
      return countInWindow<TokenWindow>({
        countInOpen: async () => {
          const counted = await add(ownerId, day, tokens, within).lean<TokenWindowDocument>();
          if (counted !== null) return windowOf(counted, true);
          const full = limit === undefined ? null : await find(ownerId, day);
          if (full !== null) return windowOf(full, false);
          return fits ? null : { day, used: 0, counted: false };
        },
        reopen: async () => {
          const ended = { _id: ownerId, day: trusted({ $not: { $gte: day, $lte: day + 1 } }) };
          const made = await model.findOneAndUpdate(ended, { $set: opened }, AFTER).lean<TokenWindowDocument>();
          return made && windowOf(made, true);
        },
        insert: async () => {
          await model.create({ _id: ownerId, ...opened });
          return { day, used: tokens, counted: true };
        },
      });
    },
  };
};
