import { deleteMatching, withStore } from '@weft/service-kit/mongo';
import { Schema, trusted, type Connection } from 'mongoose';
import type { Project, ProjectStore } from '../domain/ownership/project';
import { queries } from './queries';

interface ProjectDocument {
  _id: string;
  name: string;
  createdBy: string;
  createdAt: Date;
  deletingAt?: Date;
}

const string = { type: String, required: true } as const;

const projectSchema = new Schema<ProjectDocument>(
  { _id: string, name: string, createdBy: string, createdAt: { type: Date, required: true }, deletingAt: Date },
  { collection: 'projects', versionKey: false, strict: 'throw' },
);

const toProject = ({ _id, name, createdBy, createdAt, deletingAt }: ProjectDocument): Project => ({
  id: _id,
  name,
  createdBy,
  createdAt,
  ...(deletingAt === undefined ? {} : { deletingAt }),
});

/** Matches a project that is not being deleted. */
const staying = (id: string) => ({ _id: id, deletingAt: trusted({ $exists: false }) });

export const createProjectStore = (connection: Connection): ProjectStore => {
  const model = connection.model('Project', projectSchema);
  return {
    insert: ({ id, ...rest }) =>
      withStore(async () => {
        await model.updateOne({ _id: id }, { $setOnInsert: rest }, { upsert: true });
      }),
    findById: (id) =>
      withStore(async () => {
        const found = await model.findById(id).lean();
        return found === null ? undefined : toProject(found);
      }),
    findByIds: (ids) =>
      withStore(async () => {
        const { filter, sort } = queries.projectsById(ids);
        return (await model.find(filter).sort(sort).lean()).map(toProject);
      }),
    page: (afterId, limit) =>
      withStore(async () => {
        const { filter, sort } = queries.projectPage(afterId);
        return (await model.find(filter).sort(sort).limit(limit).lean()).map(toProject);
      }),
    count: () => withStore(() => model.countDocuments().exec()),
    rename: (id, name) =>
      withStore(async () => (await model.updateOne(staying(id), { $set: { name } })).matchedCount === 1),
    markDeleting: (id, deletingAt) =>
      withStore(async () => {
        await model.updateOne(staying(id), { $set: { deletingAt } });
      }),
    remove: (id) =>
      withStore(async () => {
        await deleteMatching(model, { _id: id });
      }),
  };
};
