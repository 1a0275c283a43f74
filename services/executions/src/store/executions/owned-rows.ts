import { withStore, type Index } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { Clock } from '../../domain/state/ports';
import type { ReviewRows } from '../../domain/data/purge';
import type { ExecutionModel } from './execution-schema';
import { QUERIES } from '../queries';

/** Rows are written before the document that references them: younger ones may still get a reference. */
const YOUNG_MS = 24 * 3_600_000;

/** Date at which a row written now is reviewed. */
export const reviewDate = (clock: Clock): Date => new Date(clock() + YOUNG_MS);

/** Common fields of rows of chunks and of segments. */
interface OwnedRow {
  readonly _id: string;
  readonly executionId: string;
  readonly reviewAt?: Date;
}

/** Indexes of a collection whose rows belong to executions. */
export const OWNED_INDEXES: readonly Index[] = [
  { name: 'execution', key: { executionId: 1 } },
  { name: 'review', key: { reviewAt: 1 }, partialFilterExpression: { reviewAt: { $exists: true } } },
];

/** The due rows, with the index that a test verifies. */
export const dueRows = (now: Date) =>
  ({ filter: { reviewAt: { $exists: true, $lt: now } }, sort: { reviewAt: 1 }, index: 'review' }) as const;

/** Reviews due rows: keeps those whose execution exists, and deletes the others. */
export const createReviewRows =
  (connection: Connection, collection: string, executions: ExecutionModel): ReviewRows =>
  async (now, most) => {
    const rows = connection.collection<OwnedRow>(collection);
    const { filter, sort, index } = dueRows(now);
    const due = await withStore(() =>
      rows
        .find(filter, { projection: { executionId: 1 }, hint: index })
        .sort(sort)
        .limit(most)
        .toArray(),
    );
    if (due.length === 0) return 0;
    const owners = [...new Set(due.map(({ executionId }) => executionId))];
    const found = await withStore(() =>
      executions.find(QUERIES.byIds(owners).filter, { _id: 1 }).lean<{ readonly _id: string }[]>().exec(),
    );
    const living = new Set(found.map(({ _id }) => _id));
    const kept = due.filter(({ executionId }) => living.has(executionId)).map(({ _id }) => _id);
    const gone = due.filter(({ executionId }) => !living.has(executionId)).map(({ _id }) => _id);
    if (kept.length > 0) await withStore(() => rows.updateMany({ _id: { $in: kept } }, { $unset: { reviewAt: '' } }));
    if (gone.length > 0) await withStore(() => rows.deleteMany({ _id: { $in: gone } }));
    return due.length;
  };
