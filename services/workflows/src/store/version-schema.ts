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
  credentialIds: string[];
  createdAt: Date;
  /** Time of its next review; absent: it is the current version of its workflow. */
  reviewAt?: Date;
  /** Set if nothing needed it at its last review: the next one removes it. */
  foundUnusedAt?: Date;
}

const string = { type: String, required: true };

const versionSchema = new Schema<VersionDocument>(
  {
    _id: string,
    workflowId: string,
    ownerId: string,
    definition: string,
    bytes: { type: Number, required: true },
    typeVersions: [new Schema({ node: string, typeVersion: { type: Number, required: true } }, { _id: false })],
    credentialIds: [String],
    createdAt: { type: Date, required: true },
    reviewAt: Date,
    foundUnusedAt: Date,
  },
  { versionKey: false },
);

/** The collection `versions` of a database. */
export const versionModel = (connection: Connection): Model<VersionDocument> =>
  connection.model<VersionDocument>('Version', versionSchema, 'versions');
