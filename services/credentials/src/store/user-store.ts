import type { Role } from '@weft/service-kit/auth';
import { Unavailable } from '@weft/service-kit/errors';
import { deleteMatching, isDuplicateKey, oneByOne, withStore } from '@weft/service-kit/mongo';
import { Schema, trusted, type Connection } from 'mongoose';
import { MAX_MEMBERS, MAX_MEMBERSHIPS } from '../domain/ownership/project';
import type { Membership, StoredUser, User, UserStore } from '../domain/ownership/user';
import { batchedReads } from './batched-reads';
import { queries } from './queries';

interface UserDocument {
  _id: string;
  email: string;
  role: Role;
  passwordHash: string;
  name?: string;
  createdAt: Date;
  lockedAt?: Date;
  /** The first owner of the instance: an index allows only one. */
  isFirst?: true;
  /** Mark of the operation in which an owner stops being one. */
  leaving?: string;
  memberships?: Membership[];
}

const string = { type: String, required: true } as const;

const userSchema = new Schema<UserDocument>(
  {
    _id: string,
    email: string,
    role: string,
    passwordHash: string,
    name: String,
    createdAt: { type: Date, required: true },
    lockedAt: Date,
    isFirst: Boolean,
    leaving: String,
    // Absent for most users; mongoose would store an empty list.
    memberships: {
      type: [new Schema<Membership>({ projectId: string, role: string }, { _id: false })],
      default: undefined,
    },
  },
  { collection: 'users', versionKey: false, strict: 'throw' },
);

const toUser = ({
  _id,
  email,
  role,
  name,
  createdAt,
  lockedAt,
  memberships,
}: Omit<UserDocument, 'passwordHash'>): User => ({
  id: _id,
  email,
  role,
  createdAt,
  ...(name === undefined ? {} : { name }),
  ...(lockedAt === undefined ? {} : { lockedAt }),
  ...(memberships === undefined ? {} : { memberships }),
});

const PUBLIC = '-passwordHash';

const ABSENT = { $exists: false } as const;

/** Matches the user if it is still as it was read. */
const asSeen = ({ id, role, lockedAt }: User) => ({
  _id: id,
  role,
  lockedAt: trusted(lockedAt === undefined ? ABSENT : { $eq: lockedAt }),
});

/** Maximum attempts to change memberships under concurrent changes. */
const MAX_TRIES = 10;

const busy = (): Unavailable =>
  new Unavailable('The memberships are being changed by others at the same moment. Try again.');

/** Maximum members shown: above the limit plus the few by which concurrent additions may exceed it. */
const MAX_SHOWN = 2 * MAX_MEMBERS;

/** Path of the last membership that a user may have. */
const LAST_MEMBERSHIP = `memberships.${MAX_MEMBERSHIPS - 1}`;

export const createUserStore = (connection: Connection): UserStore => {
  const model = connection.model('User', userSchema);
  const findByIds: UserStore['findByIds'] = (ids) =>
    withStore(async () =>
      ids.length === 0
        ? []
        : (
            await model
              .find({ _id: trusted({ $in: ids }) })
              .select(PUBLIC)
              .lean()
          ).map(toUser),
    );
  const insert = ({ id, ...rest }: StoredUser, first: Pick<UserDocument, 'isFirst'>): Promise<boolean> =>
    oneByOne(`users ${rest.email}`, () =>
      withStore(async () => {
        try {
          await model.updateOne({ _id: id }, { $setOnInsert: { ...rest, ...first } }, { upsert: true });
          return true;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),
    );
  /**
   * Removes a project from the matching users. As with deletions, a server may skip a user who is being written
   * concurrently, so this checks for leftovers: no user keeps revoked permissions.
   * @returns whether there was one
   */
  const withdraw = (filter: { _id?: string; 'memberships.projectId': string }, projectId: string): Promise<boolean> =>
    withStore(async () => {
      let removed = 0;
      for (let tried = 0; tried < MAX_TRIES; tried += 1) {
        removed += (await model.updateMany(filter, { $pull: { memberships: { projectId } } })).matchedCount;
        if ((await model.exists(filter)) === null) return removed > 0;
      }
      throw busy();
    });
  return {
    insert: (user) => insert(user, {}),
    insertFirstOwner: (user) => insert(user, { isFirst: true }),
    findById: batchedReads(findByIds),
    findByIds,
    findByEmail: (email) =>
      withStore(async () => {
        const found = await model.findOne(queries.userByEmail(email).filter).lean();
        return found === null ? undefined : { ...toUser(found), passwordHash: found.passwordHash };
      }),
    findOwner: () =>
      withStore(async () => {
        const { filter, hint } = queries.owners();
        const found = await model.findOne(filter).hint(hint).select(PUBLIC).lean();
        return found === null ? undefined : toUser(found);
      }),
    page: (afterId, limit) =>
      withStore(async () => {
        const { filter, sort } = queries.userPage(afterId);
        return (await model.find(filter).sort(sort).limit(limit).select(PUBLIC).lean()).map(toUser);
      }),
    markLeaving: (id, leaving) =>
      withStore(async () => {
        const active = { _id: id, role: 'owner', lockedAt: trusted(ABSENT) } as const;
        return (await model.updateOne(active, { $set: { leaving } })).matchedCount === 1;
      }),
    unmarkLeaving: (id, leaving) =>
      withStore(async () => {
        await model.updateOne({ _id: id, leaving }, { $unset: { leaving: 1 } });
      }),
    hasStayingOwner: (exceptId) =>
      withStore(async () => {
        const { filter, hint } = queries.owners();
        const owners = await model.find(filter).hint(hint).select('lockedAt leaving').lean();
        return owners.some(
          ({ _id, lockedAt, leaving }) => _id !== exceptId && lockedAt === undefined && leaving === undefined,
        );
      }),
    change: (seen, { role, lockedAt }, mark) =>
      withStore(async () => {
        const { matchedCount } = await model.updateOne(
          { ...asSeen(seen), ...(mark === undefined ? {} : { leaving: mark }) },
          {
            $set: { ...(role === undefined ? {} : { role }), ...(lockedAt instanceof Date ? { lockedAt } : {}) },
            $unset: { leaving: 1, ...(lockedAt === null ? { lockedAt: 1 } : {}) },
          },
        );
        return matchedCount === 1;
      }),
    setPassword: (id, passwordHash) =>
      withStore(async () => {
        const active = { _id: id, lockedAt: trusted(ABSENT) };
        return (await model.updateOne(active, { $set: { passwordHash } })).matchedCount === 1;
      }),
    putMembership: (id, { projectId, role }) =>
      withStore(async () => {
        for (let tried = 0; tried < MAX_TRIES; tried += 1) {
          const member = { _id: id, 'memberships.projectId': projectId };
          if ((await model.updateOne(member, { $set: { 'memberships.$.role': role } })).matchedCount === 1)
            return 'done';
          const stranger = {
            _id: id,
            'memberships.projectId': trusted({ $ne: projectId }),
            [LAST_MEMBERSHIP]: trusted(ABSENT),
          };
          const added = await model.updateOne(stranger, { $push: { memberships: { projectId, role } } });
          if (added.matchedCount === 1) return 'done';
          const found = await model.findById(id).select('memberships').lean();
          if (found === null) return 'gone';
          const { memberships = [] } = found;
          const isMember = memberships.some((membership) => membership.projectId === projectId);
          if (!isMember && memberships.length >= MAX_MEMBERSHIPS) return 'full';
        }
        throw busy();
      }),
    removeMembership: (id, projectId) => withdraw({ _id: id, 'memberships.projectId': projectId }, projectId),
    findMembers: (projectId) =>
      withStore(async () =>
        (await model.find(queries.membersOfProject(projectId).filter).limit(MAX_SHOWN).select(PUBLIC).lean()).map(
          toUser,
        ),
      ),
    countMembers: (projectId) =>
      withStore(() => model.countDocuments(queries.membersOfProject(projectId).filter).exec()),
    removeMembers: async (projectId) => {
      await withdraw(queries.membersOfProject(projectId).filter, projectId);
    },
    remove: (seen) => withStore(async () => (await deleteMatching(model, asSeen(seen))) > 0),
  };
};
