import { createBatcher } from '@weft/service-kit/batching';
import { uuidv7 } from '@weft/service-kit/ids';
import { inKeyOrder, insertRows, withStore, type Index } from '@weft/service-kit/mongo';
import type { Connection, mongo } from 'mongoose';
import type {
  Attempt,
  Notification,
  NotificationState,
  NotificationStore,
  Taken,
} from '../domain/notifications/notification';
import { isDuplicateRow, sendRows } from './executions/bulk';

const COLLECTION = 'notifications';

interface NotificationDocument {
  /** `<subscription>:<execution>` */
  _id: string;
  subscriptionId: string;
  executionId: string;
  state: NotificationState;
  event: string;
  /** Exactly while it is pending: when it is sent next, or may be taken by another attempt. */
  dueAt?: Date;
  /** The attempt that has taken it. */
  attemptId?: string;
  attempts: number;
  attemptedAt?: Date;
  responseStatus?: number;
  error?: string;
  createdAt: Date;
  expireAt: Date;
}

const INDEX = { due: 'due', state: 'state', expiry: 'expiry' } as const;

/** Indexes of the notifications. */
export const NOTIFICATION_INDEXES: readonly Index[] = [
  {
    name: INDEX.due,
    key: { subscriptionId: 1, dueAt: 1 },
    partialFilterExpression: { dueAt: { $exists: true } },
  },
  { name: INDEX.state, key: { subscriptionId: 1, state: 1, _id: -1 } },
  { name: INDEX.expiry, key: { expireAt: 1 }, expireAfterSeconds: 0 },
];

const DAY_MS = 24 * 3_600_000;
/** Retention of delivered notifications. */
const DELIVERED_MS = DAY_MS;
/** Retention of failed notifications after their last attempt, and of those that are not sent because of a pause. */
const FAILED_MS = 14 * DAY_MS;

const after = (time: Date, ms: number): Date => new Date(time.getTime() + ms);

const idOf = (subscriptionId: string, executionId: string): string => `${subscriptionId}:${executionId}`;

const keyOf = ({ subscriptionId, executionId }: Pick<Notification, 'subscriptionId' | 'executionId'>): string =>
  idOf(subscriptionId, executionId);

const toDocument = (notification: Notification): NotificationDocument => ({
  _id: keyOf(notification),
  ...notification,
  expireAt: after(notification.createdAt, FAILED_MS),
});

const toNotification = ({
  _id,
  attemptId: _attemptId,
  expireAt: _expireAt,
  ...rest
}: NotificationDocument): Notification => rest;

/** A partial index serves only a query with its condition. */
const dueBy = (time: Date) => ({ $exists: true, $lte: time });

type RetryAt = Parameters<NotificationStore['complete']>[3];

type Row = mongo.AnyBulkWriteOperation<NotificationDocument>;

/** The rows of one attempt. Repeating a row changes nothing: it removes the id of the attempt. */
const rowsOf = (
  { notifications, at, responseStatus, error }: Attempt,
  { attemptId }: Taken,
  retryAt: RetryAt,
): readonly Row[] => {
  const set = { attemptedAt: at, ...(responseStatus === undefined ? {} : { responseStatus }) };
  const unset = { attemptId: '', ...(responseStatus === undefined ? { responseStatus: '' as const } : {}) } as const;
  if (error === undefined)
    return [
      {
        updateMany: {
          filter: { _id: { $in: notifications.map(keyOf).sort() }, attemptId },
          update: {
            $set: { ...set, state: 'delivered', expireAt: after(at, DELIVERED_MS) },
            $unset: { ...unset, dueAt: '', error: '' },
            $inc: { attempts: 1 },
          },
        },
      },
    ];
  return inKeyOrder(notifications, keyOf).map((notification): Row => {
    const dueAt = retryAt(notification.attempts + 1);
    const expireAt = after(at, FAILED_MS);
    const update: mongo.UpdateFilter<NotificationDocument> =
      dueAt === undefined
        ? { $set: { ...set, error, expireAt, state: 'failed' }, $unset: { ...unset, dueAt: '' }, $inc: { attempts: 1 } }
        : { $set: { ...set, error, expireAt, dueAt }, $unset: unset, $inc: { attempts: 1 } };
    return { updateOne: { filter: { _id: keyOf(notification), attemptId }, update } };
  });
};

const MAX_INSERTED = 500;
const MAX_INSERTED_BYTES = 8 * 1024 * 1024;
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;
const MAX_REMOVED = 1_000;

/** Notifications in MongoDB. */
export const createNotificationStore = (connection: Connection): NotificationStore => {
  const notifications = connection.collection<NotificationDocument>(COLLECTION);
  const insert = createBatcher<NotificationDocument, true>({
    maxBatch: MAX_INSERTED,
    concurrency: 2,
    maxQueued: 20_000,
    weight: { of: ({ event }) => 500 + event.length, max: MAX_INSERTED_BYTES, maxHeld: MAX_QUEUED_BYTES },
    flush: async (documents) => {
      const unique = [...new Map(documents.map((document) => [document._id, document])).values()];
      const rows = inKeyOrder(unique, ({ _id }) => _id);
      const refused = await sendRows(rows, (some) => insertRows(connection.db, COLLECTION, some));
      const errors = new Map(
        rows.flatMap(({ _id }, index) => {
          const error = refused.get(index);
          return error === undefined || isDuplicateRow(error) ? [] : [[_id, error] as const];
        }),
      );
      return documents.map(({ _id }) => errors.get(_id) ?? true);
    },
  });
  const findAll = async (filter: object, most: number, sort: Readonly<Record<string, 1 | -1>>, hint: string) =>
    withStore(() => notifications.find(filter, { hint }).sort(sort).limit(most).toArray());
  return {
    insert: async (notification) => {
      await insert(toDocument(notification));
    },
    take: async (subscriptionId, now, until, most) => {
      const attemptId = uuidv7();
      const due = await findAll({ subscriptionId, dueAt: dueBy(now) }, most, { dueAt: 1 }, INDEX.due);
      if (due.length === 0) return { attemptId, notifications: [] };
      const ids = due.map(({ _id }) => _id).sort();
      const { modifiedCount } = await withStore(() =>
        notifications.updateMany({ _id: { $in: ids }, dueAt: dueBy(now) }, { $set: { dueAt: until, attemptId } }),
      );
      const taken =
        modifiedCount === ids.length ? due : await findAll({ _id: { $in: ids }, attemptId }, most, { _id: 1 }, '_id_');
      return { attemptId, notifications: taken.map(toNotification) };
    },
    complete: async (taken, attempts, now, retryAt) => {
      const rows = attempts.flatMap((attempt) => rowsOf(attempt, taken, retryAt));
      const attempted = new Set(attempts.flatMap((attempt) => attempt.notifications.map(keyOf)));
      const left = taken.notifications.map(keyOf).filter((id) => !attempted.has(id));
      const release: Row = {
        updateMany: {
          filter: { _id: { $in: left }, attemptId: taken.attemptId },
          update: { $set: { dueAt: now }, $unset: { attemptId: '' } },
        },
      };
      await withStore(() =>
        notifications.bulkWrite([...rows, ...(left.length === 0 ? [] : [release])], { ordered: false }),
      );
    },
    page: async ({ subscriptionId, state }, afterId, limit) => {
      const range = {
        $gt: `${subscriptionId}:`,
        // The character after the colon.
        $lt: afterId === undefined ? `${subscriptionId};` : idOf(subscriptionId, afterId),
      };
      const found =
        state === undefined
          ? await findAll({ _id: range }, limit, { _id: -1 }, '_id_')
          : await findAll({ subscriptionId, state, _id: range }, limit, { _id: -1 }, INDEX.state);
      return found.map(toNotification);
    },
    resend: async (subscriptionId, executionId, now) => {
      const found = await withStore(() =>
        notifications.findOneAndUpdate(
          { _id: idOf(subscriptionId, executionId) },
          {
            $set: { state: 'pending', dueAt: now, attempts: 0, expireAt: after(now, FAILED_MS) },
            $unset: { attemptId: '', error: '' },
          },
          { returnDocument: 'after' },
        ),
      );
      return found === null ? undefined : toNotification(found);
    },
    countPending: (subscriptionId, most) =>
      withStore(() =>
        notifications.countDocuments(
          { subscriptionId, dueAt: { $exists: true, $gte: new Date(0) } },
          { limit: most, hint: INDEX.due },
        ),
      ),
    nextDue: async (subscriptionIds, until) => {
      let first: Date | undefined;
      for (const subscriptionId of subscriptionIds) {
        const [next] = await findAll({ subscriptionId, dueAt: dueBy(until) }, 1, { dueAt: 1 }, INDEX.due);
        if (next?.dueAt !== undefined && (first === undefined || next.dueAt < first)) first = next.dueAt;
      }
      return first;
    },
    removeAll: async (subscriptionId) => {
      const range = { _id: { $gt: `${subscriptionId}:`, $lt: `${subscriptionId};` } };
      for (;;) {
        const found = await withStore(() =>
          notifications
            .find(range, { projection: { _id: 1 } })
            .limit(MAX_REMOVED)
            .batchSize(MAX_REMOVED)
            .toArray(),
        );
        if (found.length === 0) return;
        await withStore(() => notifications.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } }));
        if (found.length < MAX_REMOVED) return;
      }
    },
  };
};
