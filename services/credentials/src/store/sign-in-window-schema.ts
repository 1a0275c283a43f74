import { Schema } from 'mongoose';

/** A document of the collection `signInWindows`: one for each account or address with attempts. */
export interface SignInWindowDocument {
  _id: string;
  attempts: number;
  endsAt: Date;
  level: number;
  /** When its level is forgotten. */
  expireAt: Date;
}

const number = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;

/** Sign-in windows. */
export const signInWindowSchema = new Schema<SignInWindowDocument>(
  { _id: { type: String, required: true }, attempts: number, endsAt: date, level: number, expireAt: date },
  { collection: 'signInWindows', versionKey: false, strict: 'throw' },
);
