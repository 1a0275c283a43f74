import { withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { VersionStore } from '../domain/ports';
import type { Version } from '../domain/workflow';
import { versionQueries } from './queries';
import { versionModel, type VersionDocument } from './version-schema';

const toVersion = (document: VersionDocument): Version => ({
  id: document._id,
  workflowId: document.workflowId,
  ownerId: document.ownerId,
  text: document.text,
  typeVersions: document.typeVersions.map(({ node, typeVersion }) => ({ node, typeVersion })),
  createdAt: document.createdAt,
});

const toDocument = ({ id, typeVersions, ...rest }: Version): VersionDocument => ({
  _id: id,
  ...rest,
  bytes: Buffer.byteLength(rest.text),
  typeVersions: typeVersions.map((entry) => ({ ...entry })),
});

/** Versions in MongoDB. */
export const createVersionStore = (connection: Connection): VersionStore => {
  const model = versionModel(connection);
  return {
    insert: async (version) => {
      await withStore(() => model.create(toDocument(version)));
    },
    find: async (ids) => {
      const documents = await withStore(() => model.find(versionQueries.byIds(ids).filter).lean<VersionDocument[]>().exec());
      return documents.map(toVersion);
    },
    sizes: async (ids) => {
      const documents = await withStore(() => model.find(versionQueries.byIds(ids).filter, { bytes: 1 }).lean<VersionDocument[]>().exec());
      return new Map(documents.map((document) => [document._id, document.bytes]));
    },
    discard: async (id) => {
      await withStore(() => model.deleteOne(versionQueries.one(id).filter).exec());
    },
  };
};
