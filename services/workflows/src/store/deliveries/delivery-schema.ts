import { Schema, type Connection, type Model } from 'mongoose';
import type { DeliveryState } from '../../domain/deliveries/delivery';

/** A stored delivery. */
export interface DeliveryDocument {
  _id: string;
  workflowId: string;
  versionId: string;
  ownerId: string;
  node: string;
  method: string;
  path: string;
  input: Buffer;
  idempotencyKey: string;
  contentDigest?: Buffer;
  eventKey?: string;
  eventKeySigned?: boolean;
  /** Unique: the workflow, the node and the event of a delivery that has not been refused. */
  eventOf?: string;
  state: DeliveryState;
  parked?: boolean;
  /** An attempt is in progress, or its process died. */
  attempting?: boolean;
  reason: string;
  message: string;
  attempts: number;
  bytes: number;
  receivedAt: Date;
  nextAttemptAt?: Date;
  deliveredAt?: Date;
  expiresAt: Date;
  executionId?: string;
}

const string = { type: String, required: true };
const date = { type: Date, required: true };
const count = { type: Number, required: true };

const deliverySchema = new Schema<DeliveryDocument>(
  {
    _id: string,
    workflowId: string,
    versionId: string,
    ownerId: string,
    node: string,
    method: string,
    path: String,
    input: Buffer,
    idempotencyKey: String,
    contentDigest: Buffer,
    eventKey: String,
    eventKeySigned: Boolean,
    eventOf: String,
    state: string,
    parked: Boolean,
    attempting: Boolean,
    reason: String,
    message: String,
    attempts: count,
    bytes: count,
    receivedAt: date,
    nextAttemptAt: Date,
    deliveredAt: Date,
    expiresAt: date,
    executionId: String,
  },
  { versionKey: false, strict: 'throw' },
);

/** The collection `deliveries` of a database. */
export const deliveryModel = (connection: Connection): Model<DeliveryDocument> =>
  connection.model<DeliveryDocument>('Delivery', deliverySchema, 'deliveries');
