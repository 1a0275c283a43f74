import { Schema } from 'mongoose';

/** A document of the collection `audit`. */
export interface AuditDocument {
  _id: string;
  at: Date;
  action: string;
  actor: string;
  about: Record<string, string>;
  expireAt: Date;
}

/** Audit records. */
export const auditSchema = new Schema<AuditDocument>(
  {
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    action: { type: String, required: true },
    actor: { type: String, required: true },
    about: { type: Schema.Types.Mixed, required: true },
    expireAt: { type: Date, required: true },
  },
  { collection: 'audit', versionKey: false, strict: 'throw', minimize: false },
);
