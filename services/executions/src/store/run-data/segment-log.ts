import { finalError, storeUnavailable, withStore } from '@weft/service-kit/mongo';
import mongoose from 'mongoose';
import type { Clock } from '../../domain/state/ports';
import type { LogRange, LogSegment, SegmentLog } from '../../domain/data/segment-log';
import { isDuplicateRow, sendRows } from '../executions/bulk';
import { confirmRefusals, insertWitness } from '../executions/confirm-refusals';
import { reviewDate } from '../executions/owned-rows';
import type { SegmentDocument, SegmentModel } from './segment-schema';
import { segmentOf } from '../executions/stored-record';

const { trusted } = mongoose;

/** Segments in memory while a log is read. */
const PAGE = 32;

const keyOf = (executionId: string, position: number): string => `${executionId}:${String(position).padStart(6, '0')}:`;

/** The range of ids of a range of a log. */
export const logRange = (executionId: string, { from, to }: LogRange) =>
  ({ $gte: keyOf(executionId, from), $lt: keyOf(executionId, to) }) as const;

async function* read(model: SegmentModel, executionId: string, range: LogRange): AsyncGenerator<LogSegment> {
  const cursor = model
    .find({ _id: trusted(logRange(executionId, range)) }, { position: 1, reference: 1, segment: 1 })
    .sort({ _id: 1 })
    .lean<SegmentDocument>()
    .cursor({ batchSize: PAGE });
  try {
    for await (const { position, reference, segment } of cursor)
      yield { position, reference, segment: segmentOf(segment) };
  } catch (error) {
    throw await finalError(error);
  } finally {
    await cursor.close();
  }
}

/** Inserts segments; an existing one stays, since a reference identifies the content. */
const insertOnce = async (model: SegmentModel, documents: readonly SegmentDocument[]): Promise<void> => {
  const refused = await sendRows(documents, (rows) => model.insertMany([...rows], { ordered: false, lean: true }));
  for (const error of refused.values()) if (!isDuplicateRow(error)) throw error;
  if (refused.size === 0) return;
  const taken = [...refused.keys()].flatMap((index) => documents[index]?._id ?? []);
  const stored = await withStore(() => model.countDocuments({ _id: trusted({ $in: taken }) }).exec());
  if (stored < taken.length) throw storeUnavailable([...refused.values()][0]);
};

/** Segments in MongoDB. */
export const createSegmentLog = (model: SegmentModel, clock: Clock): SegmentLog => {
  const insert = confirmRefusals(
    (documents: readonly SegmentDocument[]) => insertOnce(model, documents),
    insertWitness(model, model.collection.name, () => ({ executionId: '', reviewAt: new Date() })),
  );
  return {
    put: async (executionId, segments) => {
      const reviewAt = reviewDate(clock);
      const documents = segments.map(({ position, reference, segment }) => ({
        _id: `${keyOf(executionId, position)}${reference}`,
        executionId,
        position,
        reference,
        segment,
        reviewAt,
      }));
      await insert(documents);
    },
    read: (executionId, range) => read(model, executionId, range),
    deleteAll: async (executionIds) => {
      if (executionIds.length > 0)
        await withStore(() => model.deleteMany({ executionId: trusted({ $in: [...executionIds] }) }).exec());
    },
  };
};
