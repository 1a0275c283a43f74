import { Schema } from 'mongoose';

/** A document of the collection `sessions`; `_id` is the hash of the token. */
export interface SessionDocument {
  _id: string;
  userId: string;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  /** When it ends if it is not used again; it is removed then. */
  expireAt: Date;
}

const text = { type: String, required: true } as const;
const date = { type: Date, required: true } as const;

/** Sessions. */
export const sessionSchema = new Schema<SessionDocument>(
  { _id: text, userId: text, createdAt: date, lastSeenAt: date, expiresAt: date, expireAt: date },
  { collection: 'sessions', versionKey: false, strict: 'throw' },
);
