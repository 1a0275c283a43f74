import { deleteMatching, isDuplicateKey, toBuffer, withStore } from '@weft/service-kit/mongo';
import { trusted, type Connection } from 'mongoose';
import type {
  Delivery,
  DeliveryFilter,
  DeliveryOutcome,
  DeliveryStore,
  DeliverySummary,
} from '../domain/deliveries/delivery';
import { MAX_DELIVERIES } from '../domain/deliveries/store-delivery';
import { deliveryModel, type DeliveryDocument } from './delivery-schema';
import { ownedBy, type StoreQuery } from './queries';

/** Names of the indexes. */
const INDEX = { workflow: 'workflow', state: 'state', due: 'due', expiry: 'expiry' } as const;

/** Every query on `deliveries`. */
export const deliveryQueries = {
  one: (id: string): StoreQuery<DeliveryDocument> => ({ filter: { _id: id }, options: {}, index: '_id_' }),
  page: (
    { workflowId, state }: DeliveryFilter,
    afterId: string | undefined,
    hiddenOwnerIds?: readonly string[],
  ): StoreQuery<DeliveryDocument> => {
    const index = workflowId !== undefined ? INDEX.workflow : state !== undefined ? INDEX.state : '_id_';
    return {
      filter: {
        ...(workflowId === undefined ? {} : { workflowId }),
        ...(state === undefined ? {} : { state }),
        ...ownedBy(undefined, hiddenOwnerIds),
        ...(afterId === undefined ? {} : { _id: trusted({ $lt: afterId }) }),
      },
      options: { sort: { _id: -1 }, hint: index },
      index,
    };
  },
  due: (now: Date): StoreQuery<DeliveryDocument> => ({
    filter: { state: 'pending', nextAttemptAt: trusted({ $exists: true, $lte: now }) },
    options: { sort: { nextAttemptAt: 1 }, hint: INDEX.due },
    index: INDEX.due,
  }),
} as const;

/** The indexes of `deliveries` except `_id`; the last one deletes expired deliveries. */
export const DELIVERY_INDEXES = [
  { key: { workflowId: 1, _id: -1 }, name: INDEX.workflow },
  { key: { state: 1, _id: -1 }, name: INDEX.state },
  { key: { nextAttemptAt: 1 }, name: INDEX.due, partialFilterExpression: { nextAttemptAt: { $exists: true } } },
  { key: { expiresAt: 1 }, name: INDEX.expiry, expireAfterSeconds: 0 },
] as const;

const SUMMARY = { input: 0, contentDigest: 0, idempotencyKey: 0, versionId: 0 } as const;

type SummaryDocument = Omit<DeliveryDocument, 'input' | 'contentDigest' | 'idempotencyKey' | 'versionId'>;

const toSummary = ({ _id, ...rest }: SummaryDocument): DeliverySummary => ({ id: _id, ...rest });

const toDelivery = ({ _id, input, contentDigest, ...rest }: DeliveryDocument): Delivery => ({
  id: _id,
  ...rest,
  input: toBuffer(input) ?? Buffer.alloc(0),
  ...(contentDigest === undefined ? {} : { contentDigest: toBuffer(contentDigest) ?? Buffer.alloc(0) }),
});

const updateOf = (outcome: DeliveryOutcome): object => {
  switch (outcome.kind) {
    case 'delivered':
      return {
        $set: {
          state: 'delivered',
          executionId: outcome.executionId,
          deliveredAt: outcome.at,
          expiresAt: outcome.expiresAt,
          input: Buffer.alloc(0),
          bytes: 0,
        },
        $unset: { nextAttemptAt: '' },
      };
    case 'refused':
      return {
        $set: { state: 'refused', reason: outcome.reason, message: outcome.message },
        $unset: { nextAttemptAt: '' },
      };
    case 'failed':
      return { $set: { reason: outcome.reason, message: outcome.message } };
  }
};

/** Deliveries in MongoDB. */
export const createDeliveryStore = (connection: Connection): DeliveryStore => {
  const model = deliveryModel(connection);
  return {
    insert: async ({ id, ...rest }) => {
      try {
        await withStore(() => model.create({ _id: id, ...rest }));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    usage: async (workflowId) => {
      const { filter, options } = deliveryQueries.page({ workflowId }, undefined);
      const found = await withStore(() =>
        model
          .find(filter, { bytes: 1 }, { ...options, limit: MAX_DELIVERIES })
          .lean<Pick<DeliveryDocument, 'bytes'>[]>()
          .exec(),
      );
      return { count: found.length, bytes: found.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
    page: async (wanted, afterId, limit, hiddenOwnerIds) => {
      const { filter, options } = deliveryQueries.page(wanted, afterId, hiddenOwnerIds);
      return (
        await withStore(() =>
          model
            .find(filter, SUMMARY, { ...options, limit })
            .lean<SummaryDocument[]>()
            .exec(),
        )
      ).map(toSummary);
    },
    find: async (id) => {
      const document = await withStore(() =>
        model.findOne(deliveryQueries.one(id).filter).lean<DeliveryDocument>().exec(),
      );
      return document === null ? undefined : toDelivery(document);
    },
    due: async (now, limit) => {
      const { filter, options } = deliveryQueries.due(now);
      return (
        await withStore(() =>
          model
            .find(filter, SUMMARY, { ...options, limit })
            .lean<SummaryDocument[]>()
            .exec(),
        )
      ).map(toSummary);
    },
    take: async ({ id, state, attempts }, nextAttemptAt) => {
      const { matchedCount } = await withStore(() =>
        model
          .updateOne(
            { _id: id, state, attempts },
            { $set: { state: 'pending', attempts: attempts + 1, nextAttemptAt } },
          )
          .exec(),
      );
      return matchedCount === 1;
    },
    recordOutcome: async (id, outcome) => {
      await withStore(() =>
        model.updateOne({ _id: id, state: trusted({ $ne: 'delivered' }) }, updateOf(outcome)).exec(),
      );
    },
    remove: (id) => withStore(async () => (await deleteMatching(model, { _id: id })) > 0),
  };
};
