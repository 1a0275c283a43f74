import { Schema, type Connection, type Model } from 'mongoose';

/** What a workflow keeps, as it is stored. */
export interface StateDocument {
  /** `<workflow id>:<name>`. */
  _id: string;
  workflowId: string;
  name: string;
  ownerId: string;
  version: number;
  /** JSON text, never nested BSON: keys of users may be anything. */
  valueJson: string;
  writer: { executionId: string; fence: number };
  writes: { operation: string; version: number }[];
  createdAt: Date;
  updatedAt: Date;
}

const text = { type: String, required: true };
const number = { type: Number, required: true };
const date = { type: Date, required: true };

const stateSchema = new Schema<StateDocument>(
  {
    _id: text,
    workflowId: text,
    name: text,
    ownerId: text,
    version: number,
    valueJson: text,
    writer: new Schema({ executionId: text, fence: number }, { _id: false }),
    writes: [new Schema({ operation: text, version: number }, { _id: false })],
    createdAt: date,
    updatedAt: date,
  },
  { versionKey: false },
);

/** The collection `state` of a database. */
export const stateModel = (connection: Connection): Model<StateDocument> =>
  connection.model<StateDocument>('State', stateSchema, 'state');
