import { Schema, type Connection, type Model } from 'mongoose';

/** A stored hook. */
export interface HookDocument {
  _id: string;
  workflowId: string;
  ownerId: string;
  node: string;
  kind: string;
  version: number;
  path: string;
  parametersJson: string;
  credentialType: string;
  credentialId: string;
  exclusiveKey?: string;
  sealedSecret: string;
  isAttempted: boolean;
  base: string;
  registration?: { fingerprint: string; credentialRevision: string; keptJson: string };
  removeUntil?: Date;
  nextAt: Date;
  failures: number;
  message: string;
  lease?: { id: string; until: Date };
  revision: number;
}

const string = { type: String, required: true };
const date = { type: Date, required: true };
const count = { type: Number, required: true };

const hookSchema = new Schema<HookDocument>(
  {
    _id: string,
    workflowId: string,
    ownerId: string,
    node: string,
    kind: string,
    version: count,
    path: string,
    parametersJson: string,
    credentialType: String,
    credentialId: String,
    exclusiveKey: String,
    sealedSecret: string,
    isAttempted: { type: Boolean, required: true },
    base: String,
    registration: new Schema({ fingerprint: String, credentialRevision: String, keptJson: String }, { _id: false }),
    removeUntil: Date,
    nextAt: date,
    failures: count,
    message: String,
    lease: new Schema({ id: string, until: date }, { _id: false }),
    revision: count,
  },
  { versionKey: false },
);

export const hookModel = (connection: Connection): Model<HookDocument> =>
  connection.model<HookDocument>('Hook', hookSchema, HOOKS);

/** Name of the collection. */
export const HOOKS = 'hooks';
