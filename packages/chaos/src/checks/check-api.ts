import { createHash } from 'node:crypto';
import type { Api } from '../load/api';
import { faultOfSuccess, readExecution, type ReadExecution } from '../watch/reader';
import type { ExecutionRow, StoreReader } from '../watch/store';
import type { Violation } from './evidence';

const PARALLEL = 8;
const MAX_READ = 1_000;
const MAX_CHUNKS = 2_000;
const MAX_PAGES = 1_000;

const inParallel = async <Value>(values: readonly Value[], work: (value: Value) => Promise<void>): Promise<void> => {
  const left = [...values];
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (let value = left.pop(); value !== undefined; value = left.pop()) await work(value);
    }),
  );
};

/** I4, I1: every ended run can be read with its data, and has the end that was shown before. */
const checkReads = async (
  api: Api,
  rows: readonly ExecutionRow[],
  firstEnds: ReadonlyMap<string, ReadExecution>,
): Promise<Violation[]> => {
  const found: Violation[] = [];
  const known = rows.filter(({ _id }) => firstEnds.has(_id));
  const others = rows.filter(({ _id, state }) => !firstEnds.has(_id) && state === 'success');
  await inParallel([...known, ...others].slice(0, MAX_READ), async ({ _id, state, status }) => {
    const { status: code, execution } = await readExecution(api, _id).catch((error: unknown) => ({
      status: String(error),
      execution: undefined,
    }));
    if (execution === undefined)
      return void found.push({
        check: 'I4 what ended can be read',
        executionId: _id,
        what: `${state}: GET answered ${code}`,
      });
    const fault = faultOfSuccess(execution);
    if (fault !== undefined) found.push({ check: 'I4 success is shown with its data', executionId: _id, what: fault });
    if (execution.status !== status)
      found.push({
        check: 'I11 the API shows what is stored',
        executionId: _id,
        what: `stored ${status}, shown ${execution.status}`,
      });
    const first = firstEnds.get(_id);
    if (first !== undefined && (first.status !== execution.status || first.finishedAt !== execution.finishedAt)) {
      found.push({
        check: 'I1 an end never changes',
        executionId: _id,
        what:
          `${first.status} at ${first.finishedAt ?? ''}, later ${execution.status} at ` +
          `${execution.finishedAt ?? ''}`,
      });
    }
  });
  return found;
};

const listIds = async (api: Api, workflowId: string): Promise<string[]> => {
  const ids: string[] = [];
  let cursor = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { status, text } = await api.get(
      `/executions?workflowId=${workflowId}&limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    if (status !== 200) throw new Error(`The list of ${workflowId} was answered ${status}: ${text.slice(0, 200)}`);
    const json: { data: { id: string }[]; nextCursor: string | null } = JSON.parse(text);
    ids.push(...json.data.map(({ id }) => id));
    if (json.nextCursor === null) return ids;
    cursor = json.nextCursor;
  }
  return ids;
};

/** I11: the lists of the API contain exactly the records of the store. */
const checkLists = async (
  api: Api,
  rows: readonly ExecutionRow[],
  workflowIds: readonly string[],
): Promise<Violation[]> => {
  const found: Violation[] = [];
  await inParallel(workflowIds, async (workflowId) => {
    // a schedule continues during the count: listed runs must exist, and runs that existed must be listed
    const before = rows.filter((row) => row.workflowId === workflowId).map(({ _id }) => _id);
    const listed = new Set(await listIds(api, workflowId));
    const missing = before.filter((id) => !listed.has(id));
    if (missing.length > 0)
      found.push({
        check: 'I11 lists hold what the store holds',
        executionId: missing[0] ?? '',
        what: `${missing.length} of ${before.length} executions of ${workflowId} are not listed`,
      });
  });
  return found;
};

/** I4, I10: each piece of run data has the hash it was stored with; every version that a run names exists. */
const checkStore = async (store: StoreReader, rows: readonly ExecutionRow[]): Promise<Violation[]> => {
  const found: Violation[] = [];
  for await (const { _id, bytes, sha256 } of store.chunks(MAX_CHUNKS)) {
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      found.push({
        check: 'I4 run data is what was stored',
        executionId: _id.split(':')[0] ?? '',
        what: `the hash of ${_id} differs`,
      });
  }
  for (const id of await store.missingVersions(rows.map(({ versionId }) => versionId)))
    found.push({ check: 'I10 versions of executions exist', executionId: '', what: `version ${id}` });
  return found;
};

/** Compares everything that the API shows at the end with the store. */
export const checkApi = async (
  api: Api,
  store: StoreReader,
  rows: readonly ExecutionRow[],
  workflowIds: readonly string[],
  firstEnds: ReadonlyMap<string, ReadExecution>,
): Promise<Violation[]> => [
  ...(await checkReads(api, rows, firstEnds)),
  ...(await checkLists(api, rows, workflowIds)),
  ...(await checkStore(store, rows)),
];
