import { deleteMatching, withStore } from '@weft/service-kit/mongo';
import { Schema, type Connection } from 'mongoose';
import type { Role } from '@weft/service-kit/auth';
import type { Invitation, InvitationStore } from '../domain/invitations/invitation';
import { queries } from './queries';

/** Removed when it is used, withdrawn or expired. */
interface InvitationDocument {
  _id: string;
  email: string;
  role: Role;
  tokenHash: string;
  createdBy: string;
  createdAt: Date;
  expireAt: Date;
  userId?: string;
}

const string = { type: String, required: true } as const;
const date = { type: Date, required: true } as const;

const invitationSchema = new Schema<InvitationDocument>(
  {
    _id: string,
    email: string,
    role: string,
    tokenHash: string,
    createdBy: string,
    createdAt: date,
    expireAt: date,
    userId: String,
  },
  { collection: 'invitations', versionKey: false, strict: 'throw' },
);

const toInvitation = ({
  _id,
  email,
  role,
  createdBy,
  createdAt,
  expireAt,
  userId,
}: Omit<InvitationDocument, 'tokenHash'>): Invitation => ({
  id: _id,
  email,
  role,
  createdBy,
  createdAt,
  expiresAt: expireAt,
  ...(userId === undefined ? {} : { userId }),
});

export const createInvitationStore = (connection: Connection): InvitationStore => {
  const model = connection.model('Invitation', invitationSchema);
  return {
    insert: ({ id, expiresAt, ...rest }) =>
      withStore(async () => {
        await model.updateOne({ _id: id }, { $setOnInsert: { ...rest, expireAt: expiresAt } }, { upsert: true });
      }),
    list: (now, limit) =>
      withStore(async () => {
        const { filter, sort } = queries.openInvitations(now);
        const found = await model.find(filter).limit(limit).select('-tokenHash').lean();
        return found.map(toInvitation).toSorted((one, other) => sort._id * (one.id < other.id ? -1 : 1));
      }),
    findByHash: (tokenHash) =>
      withStore(async () => {
        const found = await model.findOne(queries.invitationByHash(tokenHash).filter).lean();
        return found === null ? undefined : toInvitation(found);
      }),
    remove: (id) => withStore(async () => (await deleteMatching(model, { _id: id })) > 0),
    removeOfEmail: (email) =>
      withStore(async () => {
        await deleteMatching(model, queries.invitationsOfEmail(email).filter);
      }),
  };
};
