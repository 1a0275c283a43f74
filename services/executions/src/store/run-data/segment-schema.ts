import { Schema, type Connection, type Model } from 'mongoose';
import type { Segment } from '../../domain/state/execution';

/** One segment of the log of an execution. */
export interface SegmentDocument {
  /** `<execution>:<position>:<reference>`, the position in six digits: one range of ids is a log, in order. */
  readonly _id: string;
  readonly executionId: string;
  readonly position: number;
  readonly reference: string;
  readonly segment: Segment;
  /** Time at which the existence of its execution is checked; absent once it was found. */
  readonly reviewAt?: Date;
}

const segmentSchema = new Schema<SegmentDocument>(
  {
    _id: { type: String, required: true },
    executionId: { type: String, required: true },
    position: { type: Number, required: true },
    reference: { type: String, required: true },
    segment: {
      type: new Schema(
        {
          fence: Number,
          encoding: String,
          bytes: Buffer,
          rawBytes: Number,
          totalBytes: Number,
          count: Number,
          runs: String,
        },
        { _id: false },
      ),
      required: true,
    },
    reviewAt: { type: Date },
  },
  {
    collection: 'executionSegments',
    versionKey: false,
    strict: 'throw',
    autoIndex: false,
    autoCreate: false,
    id: false,
  },
);

/** The collection of segments. */
export type SegmentModel = Model<SegmentDocument>;

/** The model of segments on a connection. */
export const segmentModel = (connection: Connection): SegmentModel =>
  connection.model<SegmentDocument>('ExecutionSegment', segmentSchema);
