import { Schema, type Connection, type Model } from 'mongoose';

/** A variable as it is stored. */
export interface VariableDocument {
  _id: string;
  key: string;
  value: string;
  ownerId: string;
  createdAt: Date;
  updatedAt: Date;
}

const text = { type: String, required: true };
const date = { type: Date, required: true };

const variableSchema = new Schema<VariableDocument>(
  // A value may be empty, which mongoose does not take for a required text.
  { _id: text, key: text, value: String, ownerId: text, createdAt: date, updatedAt: date },
  { versionKey: false },
);

/** The collection `variables` of a database. */
export const variableModel = (connection: Connection): Model<VariableDocument> =>
  connection.model<VariableDocument>('Variable', variableSchema, 'variables');
