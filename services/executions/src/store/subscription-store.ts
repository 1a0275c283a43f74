import { withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import {
  MAX_SUBSCRIPTIONS,
  type EndStatus,
  type EventSubscription,
  type Pause,
  type SubscriptionStore,
} from '../domain/notifications/subscription';

const COLLECTION = 'eventSubscriptions';

interface SubscriptionDocument {
  _id: string;
  name: string;
  url: string;
  status?: EndStatus;
  workflowIds?: readonly string[];
  batch: number;
  credentialId?: string;
  allOwners: boolean;
  ownerId: string;
  pause?: Pause;
  failingSince?: Date;
  revision: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Above the limit, which concurrent creations may exceed. */
const MAX_READ = 2 * MAX_SUBSCRIPTIONS;

const toDocument = ({ id, ...rest }: EventSubscription): SubscriptionDocument => ({ _id: id, ...rest });

const toSubscription = ({ _id, ...rest }: SubscriptionDocument): EventSubscription => ({ id: _id, ...rest });

/** Subscriptions in MongoDB. They are few: every query scans them in order of `_id`. */
export const createSubscriptionStore = (connection: Connection): SubscriptionStore => {
  const subscriptions = connection.collection<SubscriptionDocument>(COLLECTION);
  return {
    page: async (afterId, limit, ownerId, hiddenOwnerIds = []) => {
      const ofOwner = ownerId === undefined ? { $nin: [...hiddenOwnerIds] } : ownerId;
      const found = await withStore(() =>
        subscriptions
          .find({
            ...(afterId === undefined ? {} : { _id: { $lt: afterId } }),
            ownerId: ofOwner,
            ...(hiddenOwnerIds.length === 0 ? {} : { allOwners: false }),
          })
          .sort({ _id: -1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(toSubscription);
    },
    all: async () => {
      const found = await withStore(() => subscriptions.find().sort({ _id: 1 }).limit(MAX_READ).toArray());
      return found.map(toSubscription);
    },
    find: async (id) => {
      const found = await withStore(() => subscriptions.findOne({ _id: id }));
      return found === null ? undefined : toSubscription(found);
    },
    count: (ownerId) => withStore(() => subscriptions.countDocuments(ownerId === undefined ? {} : { ownerId })),
    insert: async (subscription) => {
      // An id is new: a repetition finds its own document.
      await withStore(() =>
        subscriptions.replaceOne({ _id: subscription.id }, toDocument(subscription), { upsert: true }),
      );
    },
    replace: async (subscription, revision) => {
      const { _id, ...document } = toDocument(subscription);
      const { matchedCount } = await withStore(() => subscriptions.replaceOne({ _id, revision }, document));
      return matchedCount === 1;
    },
    remove: async (id, revision) => {
      const filter = { _id: id, ...(revision === undefined ? {} : { revision }) };
      return (await withStore(() => subscriptions.deleteOne(filter))).deletedCount === 1;
    },
    pause: async (id, pause) => {
      const { matchedCount } = await withStore(() =>
        subscriptions.updateOne(
          { _id: id, pause: { $exists: false } },
          { $set: { pause, updatedAt: pause.at }, $inc: { revision: 1 } },
        ),
      );
      return matchedCount === 1;
    },
    setFailing: async (id, since) => {
      const { matchedCount } = await withStore(() =>
        subscriptions.updateOne(
          { _id: id, failingSince: { $exists: since === undefined } },
          since === undefined
            ? { $unset: { failingSince: '' }, $inc: { revision: 1 } }
            : { $set: { failingSince: since }, $inc: { revision: 1 } },
        ),
      );
      return matchedCount === 1;
    },
  };
};
