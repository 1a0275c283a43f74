import { isDuplicateKey, withStore } from '@weft/service-kit/mongo';
import { trusted, type Connection } from 'mongoose';
import type { DueHooks, Hook, HookChange, HookLease, HookSelection, HookStore } from '../../domain/hooks/hook';
import type { StoreQuery } from '../queries';
import { type HookDocument, hookModel } from './hook-schema';

const INDEX = {
  due: 'due',
  workflow: 'workflow_id',
  owner: 'owner_id',
  credential: 'credential_id',
  key: 'key',
} as const;

/** The indexes of `hooks` except `_id`. */
export const HOOK_INDEXES = [
  { name: INDEX.due, key: { nextAt: 1 } },
  { name: INDEX.workflow, key: { workflowId: 1 } },
  { name: INDEX.owner, key: { ownerId: 1 } },
  { name: INDEX.credential, key: { credentialId: 1 } },
  { name: INDEX.key, key: { exclusiveKey: 1 }, partialFilterExpression: { exclusiveKey: { $exists: true } } },
] as const;

const selected = (selection: HookSelection): StoreQuery<HookDocument> => {
  if ('ownerId' in selection)
    return { filter: { ownerId: selection.ownerId }, options: { hint: INDEX.owner }, index: INDEX.owner };
  if ('credentialId' in selection)
    return {
      filter: { credentialId: selection.credentialId },
      options: { hint: INDEX.credential },
      index: INDEX.credential,
    };
  const { workflowId, exceptIds = [] } = selection;
  return {
    filter: { workflowId, ...(exceptIds.length === 0 ? {} : { _id: trusted({ $nin: [...exceptIds] }) }) },
    options: { hint: INDEX.workflow },
    index: INDEX.workflow,
  };
};

/** Every query on `hooks` that does not use `_id`. */
export const hookQueries = {
  due: (until: Date, { kinds, exceptOwnerIds = [] }: DueHooks): StoreQuery<HookDocument> => ({
    filter: {
      nextAt: trusted({ $lte: until }),
      kind: trusted({ $in: [...kinds] }),
      ...(exceptOwnerIds.length === 0 ? {} : { ownerId: trusted({ $nin: [...exceptOwnerIds] }) }),
    },
    options: { sort: { nextAt: 1 }, hint: INDEX.due },
    index: INDEX.due,
  }),
  ofKey: (exclusiveKey: string): StoreQuery<HookDocument> => ({
    filter: { exclusiveKey: trusted({ $exists: true, $eq: exclusiveKey }) },
    options: { hint: INDEX.key },
    index: INDEX.key,
  }),
  // There are as many hooks as triggers of apps, and few of them are due: their time bounds the scan.
  moved: (base: string, now: Date): StoreQuery<HookDocument> => ({
    filter: { nextAt: trusted({ $gt: now }), base: trusted({ $nin: ['', base] }) },
    options: { hint: INDEX.due },
    index: INDEX.due,
  }),
  selected,
} as const;

const toHook = ({ _id, exclusiveKey, registration, removeUntil, lease, ...rest }: HookDocument): Hook => ({
  id: _id,
  ...rest,
  exclusiveKey,
  ...(registration === undefined ? {} : { registration }),
  ...(removeUntil === undefined ? {} : { removeUntil }),
  ...(lease === undefined ? {} : { lease }),
});

/** An update that sets the defined fields and removes the others. */
const updateOf = (change: Readonly<Record<string, unknown>>) => {
  const entries = Object.entries(change);
  return {
    $set: Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
    $unset: Object.fromEntries(entries.filter(([, value]) => value === undefined).map(([name]) => [name, ''])),
  };
};

/** Hooks in MongoDB. */
export const createHookStore = (connection: Connection): HookStore => {
  const model = hookModel(connection);
  const read = async ({ filter, options }: Pick<StoreQuery<HookDocument>, 'filter' | 'options'>, limit?: number) => {
    const found = await withStore(() =>
      model
        .find(filter, null, { ...options, ...(limit === undefined ? {} : { limit }) })
        .lean<HookDocument[]>()
        .exec(),
    );
    return found.map(toHook);
  };
  const write = async (
    filter: Readonly<Record<string, unknown>>,
    change: HookChange & { readonly lease?: HookLease | undefined },
  ): Promise<boolean> => {
    const { matchedCount } = await withStore(() =>
      model.updateOne(filter, { ...updateOf(change), $inc: { revision: 1 } }).exec(),
    );
    return matchedCount === 1;
  };
  return {
    find: (ids) =>
      ids.length === 0 ? Promise.resolve([]) : read({ filter: { _id: trusted({ $in: [...ids] }) }, options: {} }),
    insert: async ({ id, exclusiveKey, ...hook }) => {
      const document = { _id: id, ...hook, ...(exclusiveKey === undefined ? {} : { exclusiveKey }) };
      try {
        await withStore(() => model.create(document));
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    take: async (seen, lease, now, change = {}) =>
      seen.lease !== undefined && seen.lease.until > now
        ? false
        : write({ _id: seen.id, revision: seen.revision }, { ...change, nextAt: lease.until, lease }),
    finish: async ({ id, revision }, lease, change) => {
      const mine = { _id: id, 'lease.id': lease.id };
      const ended = { ...change, lease: undefined };
      // Taking it has incremented the revision once.
      if (await write({ ...mine, revision: revision + 1 }, ended)) return;
      const { nextAt: _nextAt, ...others } = ended;
      await write(mine, others);
    },
    remove: async (id, lease) => {
      await withStore(() => model.deleteOne({ _id: id, 'lease.id': lease.id }).exec());
    },
    due: async (now, limit, wanted) =>
      (await read(hookQueries.due(now, wanted), limit)).filter(
        ({ lease }) => lease === undefined || lease.until <= now,
      ),
    nextDue: async (until, wanted) => (await read(hookQueries.due(until, wanted), 1))[0]?.nextAt,
    ofKey: (exclusiveKey, limit) => read(hookQueries.ofKey(exclusiveKey), limit),
    recheck: async (selection, now) => {
      const { filter, options } = selected(selection);
      await withStore(() => model.updateMany(filter, { $set: { nextAt: now }, $inc: { revision: 1 } }, options).exec());
    },
    recheckMoved: async (base, now) => {
      const { filter, options } = hookQueries.moved(base, now);
      await withStore(() => model.updateMany(filter, { $set: { nextAt: now }, $inc: { revision: 1 } }, options).exec());
    },
  };
};
