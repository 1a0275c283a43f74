import { Schema, type Connection, type Model } from 'mongoose';

/** A version as it is stored. */
export interface VersionDocument {
  _id: string;
  workflowId: string;
  ownerId: string;
  /** JSON text, never nested BSON: keys of users may be anything. */
  definition: string;
  bytes: number;
  typeVersions: { node: string; typeVersion: number }[];
  createdAt: Date;
  /** When it is looked at whether anything still needs it; absent: it is the current one of its workflow. */
  reviewAt?: Date;
  /** Nothing needed it at its last review: the next one removes it. */
  foundUnusedAt?: Date;
}

const text = { type: String, required: true };

const versionSchema = new Schema<VersionDocument>(
  {
    _id: text,
    workflowId: text,
    ownerId: text,
    definition: text,
    bytes: { type: Number, required: true },
    typeVersions: [new Schema({ node: text, typeVersion: { type: Number, required: true } }, { _id: false })],
    createdAt: { type: Date, required: true },
    reviewAt: Date,
    foundUnusedAt: Date,
  },
  { versionKey: false },
);

/** The collection `versions` of a database. */
export const versionModel = (connection: Connection): Model<VersionDocument> =>
  connection.model<VersionDocument>('Version', versionSchema, 'versions');
