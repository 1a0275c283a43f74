import { Schema, type Connection, type Model } from 'mongoose';

/** A stored version. */
export interface VersionDocument {
  _id: string;
  workflowId: string;
  ownerId: string;
  /** JSON text rather than nested BSON, because users may choose any keys. */
  definition: string;
  bytes: number;
  typeVersions: { node: string; typeVersion: number }[];
  apps?: { name: string; digest: string; kinds: string[]; json: string }[];
  credentialIds: string[];
  hash?: string;
  createdAt: Date;
  /** Time of its next review; absent: it is the current version of its workflow. */
  reviewAt?: Date;
  /** Set if the last review found it unused: the next one removes it. */
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
    apps: {
      type: [new Schema({ name: string, digest: string, kinds: [String], json: string }, { _id: false })],
      default: undefined,
    },
    credentialIds: [String],
    hash: String,
    createdAt: { type: Date, required: true },
    reviewAt: Date,
    foundUnusedAt: Date,
  },
  { versionKey: false },
);

export const versionModel = (connection: Connection): Model<VersionDocument> =>
  connection.model<VersionDocument>('Version', versionSchema, 'versions');
