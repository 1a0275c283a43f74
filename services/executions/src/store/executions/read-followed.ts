import { finalError, withStore } from '@weft/service-kit/mongo';
import mongoose from 'mongoose';
import {
  FOLLOWED_FIELDS,
  POSITION_FIELDS,
  positionOf,
  type FollowedExecution,
  type Position,
  type ReadFollowed,
  type ReadPositions,
} from '../../domain/event-log/followed-execution';
import type { ReadManifests } from '../../domain/event-log/read-events';
import type { ExecutionRecord } from '../../domain/state/execution';
import type { ExecutionModel } from './execution-schema';
import { QUERIES } from '../queries';
import { batchedReads, projectionOf } from './read-executions';
import { logRange } from '../run-data/segment-log';
import type { SegmentDocument, SegmentModel } from '../run-data/segment-schema';
import { toLease } from './stored-record';

const { trusted } = mongoose;

const FOLLOWED = projectionOf(FOLLOWED_FIELDS);

/** Reads executions as followers see them: without records, inputs and responses. */
export const createReadFollowed = (model: ExecutionModel): ReadFollowed =>
  batchedReads(async (ids) =>
    (await model.find(QUERIES.byIds(ids).filter, FOLLOWED).lean<FollowedExecution[]>().exec()).map((found) =>
      found.lease === undefined ? found : { ...found, lease: toLease(found.lease) },
    ),
  );

const POSITION = projectionOf(POSITION_FIELDS);

/** Reads the positions that a replica polls. */
export const createReadPositions =
  (model: ExecutionModel): ReadPositions =>
  async (ids) => {
    const found = await withStore(() =>
      model
        .find(QUERIES.byIds(ids).filter, POSITION)
        .lean<(Position & Pick<ExecutionRecord, '_id' | 'deletedAt'>)[]>()
        .exec(),
    );
    const shown = found.filter(({ deletedAt }) => deletedAt === undefined);
    return new Map(shown.map((one) => [one._id, positionOf(one)]));
  };

/** Segments in memory while the manifests of a log are read. */
const PAGE = 64;

/** Reads the manifests of a log. */
export const createReadManifests = (model: SegmentModel): ReadManifests =>
  async function* readManifests(executionId, range) {
    const cursor = model
      .find(
        { _id: trusted(logRange(executionId, range)) },
        { position: 1, reference: 1, 'segment.runs': 1, 'segment.count': 1 },
      )
      .sort({ _id: 1 })
      .lean<Pick<SegmentDocument, 'position' | 'reference' | 'segment'>>()
      .cursor({ batchSize: PAGE });
    try {
      for await (const entry of cursor) yield entry;
    } catch (error) {
      throw await finalError(error);
    } finally {
      await cursor.close();
    }
  };
