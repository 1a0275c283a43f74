import { Schema } from 'mongoose';
import type { Role } from '@weft/service-kit/auth';

/** A document of the collection `users`. */
export interface UserDocument {
  _id: string;
  email: string;
  role: Role;
  passwordHash: string;
  createdAt: Date;
}

const required = { type: String, required: true } as const;

/** Users. */
export const userSchema = new Schema<UserDocument>(
  { _id: required, email: required, role: required, passwordHash: required, createdAt: { type: Date, required: true } },
  { collection: 'users', versionKey: false, strict: 'throw' },
);
