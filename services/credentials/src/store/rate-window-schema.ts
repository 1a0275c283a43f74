import { Schema } from 'mongoose';

/** A document of the collection `rateWindows`: one for each holder of a limit. */
export interface RateWindowDocument {
  _id: string;
  minute: number;
  used: number;
  /** Long after the window: documents of holders that are gone are removed. */
  expireAt: Date;
}

/** Rate windows. */
export const rateWindowSchema = new Schema<RateWindowDocument>(
  {
    _id: { type: String, required: true },
    minute: { type: Number, required: true },
    used: { type: Number, required: true },
    expireAt: { type: Date, required: true },
  },
  { collection: 'rateWindows', versionKey: false, strict: 'throw' },
);
