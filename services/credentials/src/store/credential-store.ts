import { deleteMatching, withStore } from '@weft/service-kit/mongo';
import { Schema, trusted, type Connection } from 'mongoose';
import type { OAuth2State } from '../domain/oauth2/oauth2-state';
import type { Credential, CredentialStore, Grant, StoredCredential } from '../domain/ownership/credential';
import { batchedReads } from './batched-reads';
import { queries } from './queries';

interface CredentialDocument {
  _id: string;
  name: string;
  type: string;
  ownerId: string;
  sealed: { v: number; kid: string; wrappedKey: string; iv: string; ciphertext: string; tag: string };
  grants: Grant[];
  oauth2?: OAuth2State;
  revision: number;
  createdAt: Date;
  updatedAt: Date;
}

const string = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;

const credentialSchema = new Schema<CredentialDocument>(
  {
    _id: string,
    name: string,
    type: string,
    ownerId: string,
    sealed: { v: number, kid: string, wrappedKey: string, iv: string, ciphertext: string, tag: string },
    grants: { type: [{ _id: false, projectId: string, grantedBy: string, grantedAt: date, signature: string }] },
    oauth2: {
      type: new Schema(
        {
          login: string,
          message: { type: String, default: '' },
          lostAt: Date,
          refreshes: number,
          lease: { type: new Schema({ id: string, until: date, tokenHash: string }, { _id: false }) },
        },
        { _id: false },
      ),
    },
    revision: number,
    createdAt: date,
    updatedAt: date,
  },
  { collection: 'credentials', versionKey: false, strict: 'throw' },
);

const toCredential = ({
  _id,
  name,
  type,
  ownerId,
  createdAt,
  updatedAt,
  oauth2,
}: Omit<CredentialDocument, 'sealed' | 'grants' | 'revision'>): Credential => ({
  id: _id,
  name,
  type,
  ownerId,
  createdAt,
  updatedAt,
  ...(oauth2 === undefined ? {} : { oauth2 }),
});

const toStored = ({ sealed, grants, revision, ...rest }: CredentialDocument): StoredCredential => ({
  ...toCredential(rest),
  sealed,
  grants,
  revision,
});

const toDocument = ({ id, grants, ...rest }: StoredCredential): CredentialDocument => ({
  _id: id,
  ...rest,
  grants: [...grants],
});

export const createCredentialStore = (connection: Connection): CredentialStore => {
  const model = connection.model('Credential', credentialSchema);
  const findByIds = (ids: readonly string[]): Promise<StoredCredential[]> =>
    withStore(async () => (await model.find({ _id: trusted({ $in: ids }) }).lean()).map(toStored));
  return {
    insert: (credential) =>
      withStore(async () => {
        const { _id, ...rest } = toDocument(credential);
        await model.updateOne({ _id }, { $setOnInsert: rest }, { upsert: true });
      }),
    findById: batchedReads(findByIds),
    page: (afterId, limit, ownerIds) =>
      withStore(async () => {
        const { filter, sort, hint } =
          ownerIds === undefined ? queries.credentialPage(afterId) : queries.credentialPageOf(ownerIds, afterId);
        const found = model.find(filter).sort(sort).hint(hint).limit(limit).select('-sealed -grants -revision');
        return (await found.lean()).map(toCredential);
      }),
    findSealedBy: (kid, afterId, limit) =>
      withStore(async () => {
        const { filter, sort, hint } = queries.credentialsSealedBy(kid, afterId);
        return (await model.find(filter).sort(sort).hint(hint).limit(limit).lean()).map(toStored);
      }),
    countByKid: () =>
      withStore(async () => {
        const groups = await model.aggregate<{ _id: string; count: number }>([
          { $group: { _id: '$sealed.kid', count: { $sum: 1 } } },
        ]);
        return new Map(groups.map(({ _id, count }) => [_id, count]));
      }),
    countLost: () =>
      withStore(() => {
        const { filter, hint } = queries.credentialsLost();
        return model.countDocuments(filter, { hint }).exec();
      }),
    replace: (credential, revision) =>
      withStore(async () => {
        const { _id, ...changed } = toDocument(credential);
        const removed = changed.oauth2 === undefined ? { $unset: { oauth2: 1 } } : {};
        const { matchedCount } = await model.updateOne({ _id, revision }, { $set: changed, ...removed });
        return matchedCount === 1;
      }),
    countOf: (ownerId) =>
      withStore(() => {
        const { filter, hint } = queries.credentialsOfUser(ownerId);
        return model.countDocuments(filter, { hint }).exec();
      }),
    findOf: (ownerId, limit) =>
      withStore(async () => {
        const { filter, hint } = queries.credentialsOfUser(ownerId);
        return (await model.find(filter).hint(hint).limit(limit).lean()).map(toStored);
      }),
    pageGranted: (projectId, afterId, limit) =>
      withStore(async () => {
        const { filter, sort, hint } = queries.credentialsGrantedTo(projectId, afterId);
        return (await model.find(filter).sort(sort).hint(hint).limit(limit).lean()).map(toStored);
      }),
    findNamed: ({ ownerId, grantee }, { names, types }, limit) =>
      withStore(async () => {
        const found = await Promise.all(
          [queries.credentialsNamed(ownerId, names, types), queries.grantedNamed(grantee, names, types)].map(
            ({ filter, hint }) => model.find(filter).hint(hint).limit(limit).lean(),
          ),
        );
        return [...new Map(found.flat().map((one) => [one._id, toStored(one)])).values()].slice(0, limit);
      }),
    removeGrantsTo: (projectId) =>
      withStore(async () => {
        // The revision too: a change that has read the grant must not restore it.
        const change = { $pull: { grants: { projectId } }, $inc: { revision: 1 } };
        const { filter, hint } = queries.grantsTo(projectId);
        await model.updateMany(filter, change, { hint });
      }),
    remove: ({ id, ownerId, revision }, isUnchanged = false) =>
      withStore(async () => {
        const filter = { _id: id, ownerId, ...(isUnchanged ? { revision } : {}) };
        return (await deleteMatching(model, filter)) > 0;
      }),
  };
};
