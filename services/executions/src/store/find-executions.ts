import { withStore } from '@weft/service-kit/mongo';
import type { ExecutionRecord } from '../domain/execution';
import type { ListedExecution, ReadPage } from '../domain/list-executions';
import type { ResumePorts } from '../domain/resume-execution';
import type { FindByKey } from '../domain/start-execution';
import type { ExecutionModel } from './execution-schema';
import { QUERIES } from './queries';

/** Finds the execution that holds a dedupe key. */
export const createFindByKey =
  (model: ExecutionModel): FindByKey =>
  async (dedupeKey) => {
    const found = await withStore(() => model.findOne(QUERIES.byKeys([dedupeKey]).filter, { requestHash: 1 }).lean<Pick<ExecutionRecord, '_id' | 'requestHash'>>().exec());
    return found === null ? undefined : { executionId: found._id, requestHash: found.requestHash ?? '' };
  };

/** Finds the execution that waits for a token. */
export const createFindByToken =
  (model: ExecutionModel): ResumePorts['findByToken'] =>
  async (tokenHash) => {
    const found = await withStore(() => model.findOne(QUERIES.byToken(tokenHash).filter, { gen: 1 }).lean<Pick<ExecutionRecord, '_id' | 'gen'>>().exec());
    return found === null ? undefined : { executionId: found._id, gen: found.gen };
  };

/** Counts queued executions, up to a bound. */
export const createCountQueued =
  (model: ExecutionModel) =>
  (upTo: number): Promise<number> => {
    const { filter, index } = QUERIES.queued();
    return withStore(() => model.countDocuments(filter, { limit: upTo, hint: index }).exec());
  };

const UNLISTED = { manifest: 0, input: 0, engineState: 0, response: 0, resume: 0, followUps: 0 } as const;

/** Reads pages of executions. */
export const createReadPage =
  (model: ExecutionModel): ReadPage =>
  (filter, limit) => {
    const { filter: where, sort, index } = QUERIES.page(filter);
    return withStore(() => model.find(where, UNLISTED).sort(sort).hint(index).limit(limit).lean<ListedExecution[]>().exec());
  };

/** Deletes an execution's document. */
export const createRemoveExecution =
  (model: ExecutionModel) =>
  async (executionId: string): Promise<void> => {
    await withStore(() => model.deleteOne({ _id: executionId }).exec());
  };
