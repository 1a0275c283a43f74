import { withStore } from '@weft/service-kit/mongo';
import type { FindVersionsInUse } from '../domain/find-referenced-versions';
import type { ExecutionModel } from './execution-schema';
import { QUERIES } from './queries';

interface Found {
  /** Null: versions that were not asked for. */
  readonly _id: string | null;
  readonly runs: number;
}

/** Finds versions among the executions of a workflow, in one pass over its index. */
export const createFindVersionsInUse =
  (model: ExecutionModel): FindVersionsInUse =>
  async (workflowId, versionIds, most) => {
    const { filter, index } = QUERIES.needingVersions(workflowId);
    const askedFor = { $cond: [{ $in: ['$versionId', [...versionIds]] }, '$versionId', null] };
    const stages = [{ $match: filter }, { $limit: most }, { $group: { _id: askedFor, runs: { $sum: 1 } } }];
    const groups = await withStore(() => model.aggregate<Found>(stages).hint(index).exec());
    const scanned = groups.reduce((sum, { runs }) => sum + runs, 0);
    return { versionIds: new Set(groups.flatMap(({ _id }) => _id ?? [])), isPartial: scanned >= most };
  };
