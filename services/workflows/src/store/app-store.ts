import { deleteMatching, withStore } from '@weft/service-kit/mongo';
import { Schema, trusted, type Connection, type Model } from 'mongoose';
import type { AppStore, AppSummary, StoredApp } from '../domain/apps/app';
import { orTaken } from './workflows/or-taken';

/** Collection of the apps. */
export const APPS_COLLECTION = 'apps';

/** The indexes of `apps` except `_id`: a kind belongs to one app. */
export const APP_INDEXES = [{ key: { kinds: 1 }, name: 'kinds', unique: true }] as const;

/** A stored app. */
interface AppDocument {
  _id: string;
  label: string;
  digest: string;
  kinds: string[];
  bytes: number;
  /** JSON text, because the order of its keys has a meaning and users choose them. */
  json: string;
  createdAt: Date;
  updatedAt: Date;
  updatedBy: string;
}

const string = { type: String, required: true };
const date = { type: Date, required: true };

const appSchema = new Schema<AppDocument>(
  {
    _id: string,
    label: string,
    digest: string,
    kinds: [String],
    bytes: { type: Number, required: true },
    json: string,
    createdAt: date,
    updatedAt: date,
    updatedBy: string,
  },
  { versionKey: false },
);

const appModel = (connection: Connection): Model<AppDocument> =>
  connection.model<AppDocument>('App', appSchema, APPS_COLLECTION);

const toSummary = ({ _id, json: _json, ...rest }: Omit<AppDocument, 'json'> & { json?: string }): AppSummary => ({
  name: _id,
  ...rest,
});

const toApp = ({ _id, ...rest }: AppDocument): StoredApp => ({ name: _id, ...rest });

const toDocument = ({ name, kinds, ...rest }: StoredApp): AppDocument => ({ _id: name, ...rest, kinds: [...kinds] });

const orKindTaken = <Outcome>(name: string, write: () => Promise<Outcome>) =>
  orTaken(`apps ${name}`, 'kind-taken', write);

/** Apps in MongoDB. There are few, so lists read them all. */
export const createAppStore = (connection: Connection): AppStore => {
  const model = appModel(connection);
  const WITHOUT_DOCUMENT = { json: 0 } as const;
  return {
    list: async () =>
      (
        await withStore(() =>
          model
            .find({}, WITHOUT_DOCUMENT, { sort: { _id: 1 } })
            .lean<AppDocument[]>()
            .exec(),
        )
      ).map(toSummary),
    find: async (names) =>
      (
        await withStore(() =>
          model
            .find({ _id: trusted({ $in: [...names] }) })
            .lean<AppDocument[]>()
            .exec(),
        )
      ).map(toApp),
    findByKinds: async (kinds) =>
      (
        await withStore(() =>
          model
            .find({ kinds: trusted({ $in: [...kinds] }) }, WITHOUT_DOCUMENT)
            .lean<AppDocument[]>()
            .exec(),
        )
      ).map(toSummary),
    insert: (app) =>
      orKindTaken(app.name, async (): Promise<'done'> => {
        await model.create(toDocument(app));
        return 'done';
      }),
    replace: (app, seen) =>
      orKindTaken(app.name, async (): Promise<'done' | 'changed'> => {
        const { _id, createdAt, ...changes } = toDocument(app);
        const { matchedCount } = await model.updateOne({ _id, digest: seen }, { $set: changes }).exec();
        return matchedCount === 1 ? 'done' : 'changed';
      }),
    remove: (name, seen) => withStore(async () => (await deleteMatching(model, { _id: name, digest: seen })) > 0),
  };
};
