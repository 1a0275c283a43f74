import { isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import { Schema, trusted, type Connection, type UpdateQuery } from 'mongoose';
import type { ClosedProjectStore, StoredClosedProjects } from '../domain/projects/closed-projects';

/** The only document of the collection `closedProjects`, so that readers see each change atomically. */
interface ClosedProjectsDocument {
  _id: string;
  version: string;
  projectIds: string[];
}

const ID = 'closed';

const closedProjectsSchema = new Schema<ClosedProjectsDocument>(
  { _id: String, version: { type: String, required: true }, projectIds: { type: [String], required: true } },
  { collection: 'closedProjects', versionKey: false, strict: 'throw' },
);

const NONE: StoredClosedProjects = { version: '', projectIds: [] };

export const createClosedProjectStore = (connection: Connection): ClosedProjectStore => {
  const model = connection.model('ClosedProjects', closedProjectsSchema);
  const shown = (found: ClosedProjectsDocument | null): StoredClosedProjects | undefined =>
    found === null ? undefined : { version: found.version, projectIds: found.projectIds };
  const change = (update: UpdateQuery<ClosedProjectsDocument>): Promise<void> =>
    withStore(async () => {
      const write = () => model.updateOne({ _id: ID }, update, { upsert: true });
      // Of two concurrent first changes, one finds that the other has created the document.
      await write().catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
        return write();
      });
    });
  return {
    read: () => withStore(async () => shown(await model.findById(ID).lean()) ?? NONE),
    readUnless: (version) =>
      withStore(async () => shown(await model.findOne({ _id: ID, version: trusted({ $ne: version }) }).lean())),
    close: (projectId, version) => change({ $addToSet: { projectIds: projectId }, $set: { version } }),
    open: (projectId, version) => change({ $pull: { projectIds: projectId }, $set: { version } }),
  };
};
