import { Schema, type Connection } from 'mongoose';

/** A document of the collection `apiKeys`. */
export interface ApiKeyDocument {
  _id: string;
  userId: string;
  name: string;
  hash: string;
  kid: string;
  /** Absent in the key that comes from the environment, which has `source` instead. */
  slot?: number;
  source?: 'environment';
  createdAt: Date;
}

const required = { type: String, required: true } as const;

const apiKeySchema = new Schema<ApiKeyDocument>(
  {
    _id: required,
    userId: required,
    name: required,
    hash: required,
    kid: required,
    slot: Number,
    source: String,
    createdAt: { type: Date, required: true },
  },
  { collection: 'apiKeys', versionKey: false, strict: 'throw' },
);

/** API keys over a connection. */
export const apiKeyModel = (connection: Connection) => connection.model('ApiKey', apiKeySchema);

/** The model of API keys. */
export type ApiKeyModel = ReturnType<typeof apiKeyModel>;
