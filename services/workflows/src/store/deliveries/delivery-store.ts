import { Unavailable } from '@weft/service-kit/errors';
import { deleteMatching, isDuplicateKey, toBuffer, withStore } from '@weft/service-kit/mongo';
import { trusted, type Connection } from 'mongoose';
import type {
  Delivery,
  DeliveryFilter,
  DeliveryOutcome,
  DeliveryStore,
  DeliverySummary,
} from '../../domain/deliveries/delivery';
import { PARKED } from '../../domain/deliveries/deliver';
import { MAX_DELIVERIES } from '../../domain/deliveries/store-delivery';
import { deliveryModel, type DeliveryDocument } from './delivery-schema';
import { ownedBy, type StoreQuery } from '../queries';

/** Names of the indexes. */
const INDEX = { workflow: 'workflow', state: 'state', due: 'due', event: 'event', expiry: 'expiry' } as const;

/** Every query on `deliveries`. */
export const deliveryQueries = {
  one: (id: string): StoreQuery<DeliveryDocument> => ({ filter: { _id: id }, options: {}, index: '_id_' }),
  page: (
    { workflowId, state, parked }: DeliveryFilter,
    afterId: string | undefined,
    hiddenOwnerIds?: readonly string[],
  ): StoreQuery<DeliveryDocument> => {
    const index = workflowId !== undefined ? INDEX.workflow : state !== undefined ? INDEX.state : '_id_';
    return {
      filter: {
        ...(workflowId === undefined ? {} : { workflowId }),
        ...(state === undefined ? {} : { state }),
        ...(parked === undefined ? {} : { parked: parked ? true : trusted({ $ne: true }) }),
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
  pending: (): StoreQuery<DeliveryDocument> => ({
    filter: { state: 'pending' },
    options: { sort: { _id: 1 }, hint: INDEX.state },
    index: INDEX.state,
  }),
  ofEvent: (eventOf: string): StoreQuery<DeliveryDocument> => ({
    filter: { eventOf: trusted({ $exists: true, $eq: eventOf }) },
    options: { hint: INDEX.event },
    index: INDEX.event,
  }),
  parkable: (workflowId: string): StoreQuery<DeliveryDocument> => ({
    filter: { workflowId, state: 'pending', attempting: trusted({ $ne: true }) },
    options: { hint: INDEX.workflow },
    index: INDEX.workflow,
  }),
  attempted: (workflowId: string): StoreQuery<DeliveryDocument> => ({
    filter: { workflowId, state: 'pending', attempting: true },
    options: { hint: INDEX.workflow },
    index: INDEX.workflow,
  }),
  parked: (workflowId: string): StoreQuery<DeliveryDocument> => ({
    filter: { workflowId, state: 'refused', parked: true },
    options: { hint: INDEX.workflow },
    index: INDEX.workflow,
  }),
} as const;

/** The indexes of `deliveries` except `_id`; the last one deletes expired deliveries. */
export const DELIVERY_INDEXES = [
  { key: { workflowId: 1, _id: -1 }, name: INDEX.workflow },
  { key: { state: 1, _id: -1 }, name: INDEX.state },
  { key: { nextAttemptAt: 1 }, name: INDEX.due, partialFilterExpression: { nextAttemptAt: { $exists: true } } },
  { key: { eventOf: 1 }, name: INDEX.event, unique: true, partialFilterExpression: { eventOf: { $exists: true } } },
  { key: { expiresAt: 1 }, name: INDEX.expiry, expireAfterSeconds: 0 },
] as const;

/** Fields of a document that its summary does not have. */
const DETAILS = [
  'input',
  'contentDigest',
  'idempotencyKey',
  'versionId',
  'eventKey',
  'eventKeySigned',
  'eventOf',
  'attempting',
] as const;

const SUMMARY = Object.fromEntries(DETAILS.map((field) => [field, 0] as const));

type SummaryDocument = Omit<DeliveryDocument, (typeof DETAILS)[number]>;

const toSummary = ({ _id, ...rest }: SummaryDocument): DeliverySummary => ({ id: _id, ...rest });

const toDelivery = ({
  _id,
  input,
  contentDigest,
  eventOf: _eventOf,
  attempting: _attempting,
  ...rest
}: DeliveryDocument): Delivery => ({
  id: _id,
  ...rest,
  input: toBuffer(input) ?? Buffer.alloc(0),
  ...(contentDigest === undefined ? {} : { contentDigest: toBuffer(contentDigest) ?? Buffer.alloc(0) }),
});

const eventOfDelivery = ({ workflowId, node, eventKey }: Delivery): { readonly eventOf?: string } =>
  eventKey === undefined ? {} : { eventOf: `${workflowId}:${node}:${eventKey}` };

/** An event that was refused may be stored again. */
const REFUSED = { nextAttemptAt: '', attempting: '', eventOf: '' } as const;

const parkedUpdate = {
  $set: { state: 'refused', parked: true, reason: PARKED.reason, message: PARKED.message },
  $unset: REFUSED,
} as const;

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
        $unset: { nextAttemptAt: '', attempting: '', parked: '' },
      };
    case 'refused':
      return {
        $set: { state: 'refused', reason: outcome.reason, message: outcome.message },
        $unset: REFUSED,
      };
    case 'parked':
      return parkedUpdate;
    case 'failed':
      return { $set: { reason: outcome.reason, message: outcome.message }, $unset: { attempting: '' } };
  }
};

const MAX_TRIES = 10;

/** Deliveries in MongoDB. */
export const createDeliveryStore = (connection: Connection): DeliveryStore => {
  const model = deliveryModel(connection);
  const findSummary = async ({ filter }: StoreQuery<DeliveryDocument>): Promise<DeliverySummary | undefined> => {
    const found = await withStore(() => model.findOne(filter, SUMMARY).lean<SummaryDocument>().exec());
    return found === null ? undefined : toSummary(found);
  };
  /** Repeated, because a store may skip documents that are being written. */
  const updateMatching = async ({ filter }: StoreQuery<DeliveryDocument>, update: object): Promise<void> => {
    for (let tried = 0; tried < MAX_TRIES; tried += 1) {
      await withStore(() => model.updateMany(filter, update).exec());
      if ((await withStore(() => model.exists(filter).exec())) === null) return;
    }
    throw new Unavailable('Deliveries of this workflow are in use. Try again.');
  };
  return {
    insert: async (delivery) => {
      const { id, ...rest } = delivery;
      const event = eventOfDelivery(delivery);
      try {
        await withStore(() => model.create({ _id: id, ...rest, ...event }));
        return delivery;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const { eventOf } = event;
      const known =
        (await findSummary(deliveryQueries.one(id))) ??
        (eventOf === undefined ? undefined : await findSummary(deliveryQueries.ofEvent(eventOf)));
      if (known === undefined) throw new Unavailable('The delivery of this event has just changed. Try again.');
      return known;
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
    pending: async (most) => {
      const { filter, options } = deliveryQueries.pending();
      const [count, oldest] = await Promise.all([
        withStore(() => model.countDocuments(filter, { limit: most }).hint(INDEX.state).exec()),
        withStore(() =>
          model.findOne(filter, { receivedAt: 1 }, options).lean<Pick<DeliveryDocument, 'receivedAt'> | null>().exec(),
        ),
      ]);
      return { count, ...(oldest === null ? {} : { oldestAt: oldest.receivedAt }) };
    },
    take: async ({ id, state, attempts }, nextAttemptAt) => {
      const { matchedCount } = await withStore(() =>
        model
          .updateOne(
            { _id: id, state, attempts },
            {
              $set: { state: 'pending', attempts: attempts + 1, nextAttemptAt, attempting: true },
              $unset: { parked: '' },
            },
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
    park: (workflowId) => updateMatching(deliveryQueries.parkable(workflowId), parkedUpdate),
    isAttempting: async (workflowId) => (await findSummary(deliveryQueries.attempted(workflowId))) !== undefined,
    countParked: (workflowId) =>
      withStore(() => model.countDocuments(deliveryQueries.parked(workflowId).filter).exec()),
    unpark: (workflowId, now) =>
      updateMatching(deliveryQueries.parked(workflowId), {
        $set: { state: 'pending', nextAttemptAt: now },
        $unset: { parked: '' },
      }),
    dropParked: async (workflowId) => {
      await withStore(() => deleteMatching(model, deliveryQueries.parked(workflowId).filter));
    },
  };
};
