import { Unavailable } from '@weft/service-kit/errors';
import { isUnreachable, withStore } from '@weft/service-kit/mongo';
import mongoose from 'mongoose';
import type { Clock } from '../domain/state/ports';
import type { LogRange, LogSegment, SegmentLog } from '../domain/data/segment-log';
import { isDuplicateRow, sendRows } from './bulk';
import { reviewDate } from './owned-rows';
import type { SegmentDocument, SegmentModel } from './segment-schema';
import { segmentOf } from './stored-record';

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
    throw isUnreachable(error) ? new Unavailable('The database cannot be reached. Try again.', error) : error;
  } finally {
    await cursor.close();
  }
}

/** Segments in MongoDB. */
export const createSegmentLog = (model: SegmentModel, clock: Clock): SegmentLog => ({
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
    const refused = await sendRows(documents, (rows) => model.insertMany([...rows], { ordered: false, lean: true }));
    for (const error of refused.values()) if (!isDuplicateRow(error)) throw error;
  },
  read: (executionId, range) => read(model, executionId, range),
  deleteAll: async (executionIds) => {
    if (executionIds.length > 0)
      await withStore(() => model.deleteMany({ executionId: trusted({ $in: [...executionIds] }) }).exec());
  },
});
