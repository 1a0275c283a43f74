import { isDuplicateKey, toBuffer, withStore } from '@weft/service-kit/mongo';
import { Schema, trusted, type Connection, type Model, type QueryFilter } from 'mongoose';
import type { FileArea } from '../domain/file-area/file-area';
import type { FileAreaStore } from '../domain/file-area/ports';

/** A stored area. */
export interface FileAreaDocument {
  /** The workflow's id. */
  _id: string;
  ownerId: string;
  version: number;
  bytes: number;
  files: { path: string; bytes: number; chunks: { id: string; bytes: number }[]; updatedAt: Date }[];
  operations: { id: string; seq: number }[];
}

/** A stored chunk. */
export interface FileChunkDocument {
  _id: string;
  workflowId: string;
  bytes: Buffer;
  createdAt: Date;
}

const string = { type: String, required: true };
const number = { type: Number, required: true };
const date = { type: Date, required: true };
const plain = { _id: false, id: false } as const;

const areaSchema = new Schema<FileAreaDocument>(
  {
    _id: string,
    ownerId: string,
    version: number,
    bytes: number,
    files: [
      new Schema(
        { path: string, bytes: number, chunks: [new Schema({ id: string, bytes: number }, plain)], updatedAt: date },
        plain,
      ),
    ],
    operations: [new Schema({ id: string, seq: number }, plain)],
  },
  { versionKey: false, id: false },
);

const chunkSchema = new Schema<FileChunkDocument>(
  { _id: string, workflowId: string, bytes: { type: Buffer }, createdAt: date },
  { versionKey: false, id: false },
);

export const fileAreaModel = (connection: Connection): Model<FileAreaDocument> =>
  connection.model<FileAreaDocument>('FileArea', areaSchema, 'fileAreas');

export const fileChunkModel = (connection: Connection): Model<FileChunkDocument> =>
  connection.model<FileChunkDocument>('FileChunk', chunkSchema, 'fileChunks');

const OF_OWNER = 'owner';
const OF_WORKFLOW = 'workflow';

/** The indexes of `fileAreas` except `_id`. */
export const FILE_AREA_INDEXES = [{ name: OF_OWNER, key: { ownerId: 1 } }] as const;

/** The indexes of `fileChunks` except `_id`. */
export const FILE_CHUNK_INDEXES = [{ name: OF_WORKFLOW, key: { workflowId: 1, createdAt: 1 } }] as const;

const toArea = ({ _id, ownerId, version, bytes, files, operations }: FileAreaDocument): FileArea => ({
  workflowId: _id,
  ownerId,
  version,
  bytes,
  files: files.map(({ chunks, ...file }) => ({ ...file, chunks: chunks.map((chunk) => ({ ...chunk })) })),
  operations: operations.map((operation) => ({ ...operation })),
});

const toDocument = ({ workflowId, files, operations, ...rest }: FileArea): FileAreaDocument => ({
  _id: workflowId,
  ...rest,
  files: files.map(({ chunks, ...file }) => ({ ...file, chunks: chunks.map((chunk) => ({ ...chunk })) })),
  operations: operations.map((operation) => ({ ...operation })),
});

/** File areas in MongoDB. */
export const createFileAreaStore = (connection: Connection): FileAreaStore => {
  const areas = fileAreaModel(connection);
  const chunks = fileChunkModel(connection);
  const removeWhere = async (filter: QueryFilter<FileChunkDocument>): Promise<void> => {
    await withStore(() => chunks.deleteMany(filter).exec());
  };
  return {
    find: async (workflowId) => {
      const document = await withStore(() => areas.findOne({ _id: workflowId }).lean<FileAreaDocument>().exec());
      return document === null ? undefined : toArea(document);
    },
    put: async (area) => {
      const { _id, ownerId, ...changes } = toDocument(area);
      if (area.version > 1) {
        // The owner stays unchanged: it may have changed since the area was read.
        const filter = { _id, version: area.version - 1 };
        const { matchedCount } = await withStore(() => areas.updateOne(filter, { $set: changes }).exec());
        return matchedCount === 1;
      }
      try {
        await withStore(() => areas.create({ _id, ownerId, ...changes }));
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    bytesOfOwner: async (ownerId, exceptWorkflowId) => {
      const found = await withStore(() =>
        areas.find({ ownerId }, { bytes: 1 }).hint(OF_OWNER).lean<Pick<FileAreaDocument, '_id' | 'bytes'>[]>().exec(),
      );
      return found.reduce((sum, { _id, bytes }) => (_id === exceptWorkflowId ? sum : sum + bytes), 0);
    },
    removeAll: async (workflowId) => {
      await withStore(() => areas.deleteOne({ _id: workflowId }).exec());
      await removeWhere({ workflowId });
    },
    insertChunk: async (workflowId, _id, bytes) => {
      await withStore(() => chunks.insertMany([{ _id, workflowId, bytes, createdAt: new Date() }], { lean: true }));
    },
    readChunk: async (workflowId, _id) => {
      const found = await withStore(() => chunks.findOne({ _id, workflowId }).lean<FileChunkDocument>().exec());
      return toBuffer(found?.bytes);
    },
    removeChunks: async (workflowId, ids) => {
      if (ids.length > 0) await removeWhere({ _id: trusted({ $in: [...ids] }), workflowId });
    },
    removeUnlisted: (workflowId, listedIds, before) =>
      removeWhere({ workflowId, createdAt: trusted({ $lt: before }), _id: trusted({ $nin: [...listedIds] }) }),
  };
};
