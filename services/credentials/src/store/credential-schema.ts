import { Schema } from 'mongoose';

/** A document of the collection `credentials`. */
export interface CredentialDocument {
  _id: string;
  name: string;
  type: string;
  ownerId: string;
  sealed: { v: number; kid: string; wrappedKey: string; iv: string; ciphertext: string; tag: string };
  revision: number;
  createdAt: Date;
  updatedAt: Date;
}

const required = { type: String, required: true } as const;

/** Credentials. */
export const credentialSchema = new Schema<CredentialDocument>(
  {
    _id: required,
    name: required,
    type: required,
    ownerId: required,
    sealed: {
      v: { type: Number, required: true },
      kid: required,
      wrappedKey: required,
      iv: required,
      ciphertext: required,
      tag: required,
    },
    revision: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'credentials', versionKey: false, strict: 'throw' },
);
