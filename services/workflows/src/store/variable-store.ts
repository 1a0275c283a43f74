import { deleteMatching, withStore } from '@weft/service-kit/mongo';
import { Schema, type Connection, type Model } from 'mongoose';
import type { Variable, VariableStore } from '../domain/variables/variables';
import { orTaken } from './workflows/or-taken';
import { ownedPage } from './queries';

/** A stored variable. */
interface VariableDocument {
  _id: string;
  key: string;
  value: string;
  ownerId: string;
  createdAt: Date;
  updatedAt: Date;
}

const string = { type: String, required: true };
const date = { type: Date, required: true };

const variableSchema = new Schema<VariableDocument>(
  // A value may be empty, which mongoose does not accept for a required string.
  { _id: string, key: string, value: String, ownerId: string, createdAt: date, updatedAt: date },
  { versionKey: false },
);

export const variableModel = (connection: Connection): Model<VariableDocument> =>
  connection.model<VariableDocument>('Variable', variableSchema, 'variables');

const toVariable = ({ _id, ...rest }: VariableDocument): Variable => ({ id: _id, ...rest });

const toDocument = ({ id, ...rest }: Variable): VariableDocument => ({ _id: id, ...rest });

/** Matches a variable that has not changed since. */
const stateOf = (seen: Variable | undefined): Partial<VariableDocument> =>
  seen === undefined ? {} : { key: seen.key, value: seen.value, ownerId: seen.ownerId, updatedAt: seen.updatedAt };

const orKeyTaken = <Outcome>(key: string, write: () => Promise<Outcome>) =>
  orTaken(`variables ${key}`, 'key-taken', write);

/** Variables in MongoDB. All queries use `_id`; those of one owner are filtered from all, which are few. */
export const createVariableStore = (connection: Connection): VariableStore => {
  const model = variableModel(connection);
  return {
    page: async (afterId, limit, ownerId, hiddenOwnerIds) => {
      const filter = ownedPage(afterId, ownerId, hiddenOwnerIds);
      return (
        await withStore(() =>
          model
            .find(filter, {}, { sort: { _id: -1 }, limit })
            .lean<VariableDocument[]>()
            .exec(),
        )
      ).map(toVariable);
    },
    find: async (id) => {
      const document = await withStore(() => model.findById(id).lean<VariableDocument>().exec());
      return document === null ? undefined : toVariable(document);
    },
    count: (ownerId) => withStore(() => model.countDocuments(ownerId === undefined ? {} : { ownerId }).exec()),
    insert: (variable) =>
      orKeyTaken(variable.key, async (): Promise<'done'> => {
        await model.create(toDocument(variable));
        return 'done';
      }),
    replace: (variable, seen) =>
      orKeyTaken(variable.key, async (): Promise<'done' | 'gone'> => {
        const { _id, createdAt, ownerId, ...changes } = toDocument(variable);
        const { matchedCount } = await model.updateOne({ _id, ...stateOf(seen) }, { $set: changes }).exec();
        return matchedCount === 1 ? 'done' : 'gone';
      }),
    remove: (id, seen) => withStore(async () => (await deleteMatching(model, { _id: id, ...stateOf(seen) })) > 0),
  };
};
