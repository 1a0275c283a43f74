import { Schema, type Connection, type Model } from 'mongoose';

/** One part of a chunk. Part 0 is written last: if it exists, the chunk is complete. */
export interface ChunkDocument {
  /** `<execution>:<reference>:<part>` */
  readonly _id: string;
  readonly executionId: string;
  readonly reference: string;
  readonly bytes: Buffer;
  /** Number of bytes before compression; absent if they are not compressed. */
  readonly rawBytes?: number;
  /** Of `bytes` as they are stored, in hexadecimal. */
  readonly sha256: string;
  /** Time at which the existence of its execution is checked; absent once it was found. */
  readonly reviewAt?: Date;
  /** In part 0: number of parts and total bytes. */
  readonly parts?: number;
  readonly size?: number;
  /** In part 0 of a file, if known. */
  readonly mimeType?: string;
  readonly fileName?: string;
}

const chunkSchema = new Schema<ChunkDocument>(
  {
    _id: { type: String, required: true },
    executionId: { type: String, required: true },
    reference: { type: String, required: true },
    bytes: { type: Buffer },
    rawBytes: { type: Number },
    sha256: { type: String, required: true },
    reviewAt: { type: Date },
    parts: { type: Number },
    size: { type: Number },
    mimeType: { type: String },
    fileName: { type: String },
  },
  { collection: 'executionChunks', versionKey: false, strict: 'throw', autoIndex: false, autoCreate: false, id: false },
);

/** The collection of chunks. */
export type ChunkModel = Model<ChunkDocument>;

/** The model of chunks on a connection. */
export const chunkModel = (connection: Connection): ChunkModel =>
  connection.model<ChunkDocument>('ExecutionChunk', chunkSchema);
