import { withStore } from '@weft/service-kit/mongo';
import { Schema, trusted, type Connection, type Model } from 'mongoose';
import type { Backfill, BackfillState, BackfillStore } from '../../domain/backfills/backfill';
import { schedulesOf, toSchedule } from '../workflows/workflow-documents';
import { scheduleSchema, type ScheduleDocument } from '../workflows/workflow-schema';

/** A stored backfill. */
interface BackfillDocument {
  _id: string;
  workflowId: string;
  from: Date;
  to: Date;
  node?: string;
  concurrency: number;
  schedules: ScheduleDocument[];
  state: BackfillState;
  total: number;
  position: number;
  started: number;
  existing: number;
  refused: number;
  reason?: string;
  message?: string;
  createdAt: Date;
  updatedAt: Date;
  /** Time of its last advance; only while it is running. */
  runningAt?: Date;
  /** Only once it has ended. */
  expireAt?: Date;
}

const string = { type: String, required: true };
const count = { type: Number, required: true };
const date = { type: Date, required: true };

const schema = new Schema<BackfillDocument>(
  {
    _id: string,
    workflowId: string,
    from: date,
    to: date,
    node: String,
    concurrency: count,
    schedules: [scheduleSchema],
    state: string,
    total: count,
    position: count,
    started: count,
    existing: count,
    refused: count,
    reason: String,
    message: String,
    createdAt: date,
    updatedAt: date,
    runningAt: Date,
    expireAt: Date,
  },
  { versionKey: false, minimize: false },
);

const modelOf = (connection: Connection): Model<BackfillDocument> =>
  connection.model<BackfillDocument>('Backfill', schema, 'backfills');

/** Milliseconds for which an ended backfill is stored. */
const RETENTION_MS = 30 * 86_400_000;

/** The indexes of `backfills` except `_id`. */
export const BACKFILL_INDEXES = [
  { name: 'workflow', key: { workflowId: 1, _id: -1 } },
  { name: 'running', key: { runningAt: 1 }, partialFilterExpression: { runningAt: { $exists: true } } },
  { name: 'expiry', key: { expireAt: 1 }, expireAfterSeconds: 0 },
] as const;

const toBackfill = ({
  _id,
  node,
  schedules,
  reason,
  message,
  runningAt: _running,
  expireAt: _expire,
  ...rest
}: BackfillDocument): Backfill => ({
  ...rest,
  id: _id,
  schedules: schedules.map(toSchedule),
  ...(node === undefined ? {} : { node }),
  ...(reason === undefined ? {} : { reason }),
  ...(message === undefined ? {} : { message }),
});

const toDocument = ({ id, schedules, ...rest }: Backfill): BackfillDocument => ({
  ...rest,
  _id: id,
  schedules: schedulesOf(schedules).schedules,
  ...(rest.state === 'running'
    ? { runningAt: rest.updatedAt }
    : { expireAt: new Date(rest.updatedAt.getTime() + RETENTION_MS) }),
});

/** Ends the running backfills of workflows. */
export const cancelBackfills = async (
  connection: Connection,
  workflowIds: readonly string[],
  now: Date,
): Promise<void> => {
  const cancelled = {
    $set: { state: 'cancelled' as const, updatedAt: now, expireAt: new Date(now.getTime() + RETENTION_MS) },
    $unset: { runningAt: '' as const },
  };
  const filter = { workflowId: trusted({ $in: [...workflowIds] }), state: 'running' as const };
  await withStore(() => modelOf(connection).updateMany(filter, cancelled, { hint: 'workflow' }).exec());
};

/** Backfills in MongoDB. */
export const createBackfillStore = (connection: Connection): BackfillStore => {
  const model = modelOf(connection);
  return {
    insert: async (backfill) => {
      await withStore(() => model.create(toDocument(backfill)));
    },
    find: async (id) => {
      const found = await withStore(() => model.findOne({ _id: id }).lean<BackfillDocument>().exec());
      return found === null ? undefined : toBackfill(found);
    },
    ofWorkflow: async (workflowId, limit) =>
      (
        await withStore(() =>
          model
            .find({ workflowId }, {}, { sort: { _id: -1 }, hint: 'workflow', limit })
            .lean<BackfillDocument[]>()
            .exec(),
        )
      ).map(toBackfill),
    page: async (state, beforeId, limit) => {
      const filter = {
        ...(state === undefined ? {} : { state }),
        ...(beforeId === undefined ? {} : { _id: trusted({ $lt: beforeId }) }),
      };
      const options = { sort: { _id: -1 as const }, hint: '_id_', limit };
      return (await withStore(() => model.find(filter, {}, options).lean<BackfillDocument[]>().exec())).map(toBackfill);
    },
    countRunning: (workflowId, limit) =>
      withStore(() => model.countDocuments({ workflowId, state: 'running' }, { hint: 'workflow', limit }).exec()),
    running: async (limit) =>
      (
        await withStore(() =>
          model
            .find({ runningAt: trusted({ $exists: true }) }, {}, { sort: { runningAt: 1 }, hint: 'running', limit })
            .lean<BackfillDocument[]>()
            .exec(),
        )
      ).map(toBackfill),
    advance: async (id, position, { state, position: next, started, existing, refused, reason, message }) => {
      const now = new Date();
      const set = {
        state,
        position: next,
        started,
        existing,
        refused,
        updatedAt: now,
        ...(reason === undefined ? {} : { reason }),
        ...(message === undefined ? {} : { message }),
      };
      const update =
        state === 'running'
          ? { $set: { ...set, runningAt: now } }
          : { $set: { ...set, expireAt: new Date(now.getTime() + RETENTION_MS) }, $unset: { runningAt: '' as const } };
      const { matchedCount } = await withStore(() =>
        model.updateOne({ _id: id, state: 'running', position }, update).exec(),
      );
      return matchedCount === 1;
    },
  };
};
