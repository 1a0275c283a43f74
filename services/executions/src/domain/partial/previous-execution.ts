import type { PreviousNode, PreviousRun } from '@weft/proto/workflows';
import { isUuid } from '@weft/service-kit/ids';
import { eachStoredRun, readRecord, type RunDataPorts, type StoredRun } from '../data/run-records';
import type { ScopedReads } from '../read/scoped-executions';
import { ExecutionNotFinished, ExecutionNotFound, ReuseNotPossible } from '../state/errors';
import type { ExecutionRecord } from '../state/execution';
import { isEndState } from '../state/execution-state';
import type { FetchVersion } from '../state/version-cache';

const RUN_ALL = 'Run all nodes instead.';

/**
 * An execution of a workflow whose output may be used again: it has ended, and its version is known.
 * @throws ExecutionNotFound, Forbidden, ExecutionNotFinished, ReuseNotPossible, Unavailable
 */
export const loadPrevious = async (
  executionId: string,
  workflowId: string,
  { read }: ScopedReads,
  fetchVersion: FetchVersion,
): Promise<ExecutionRecord> => {
  const record = isUuid(executionId) ? await read(executionId) : undefined;
  if (record === undefined) throw new ExecutionNotFound(executionId);
  if (record.workflowId !== workflowId) throw new ReuseNotPossible(executionId, `it ran another workflow. ${RUN_ALL}`);
  if (!isEndState(record.state)) throw new ExecutionNotFinished(executionId);
  if ((await fetchVersion(record.versionId)) === undefined)
    throw new ReuseNotPossible(executionId, `the version that it ran no longer exists. ${RUN_ALL}`);
  return record;
};

/** The number of items of each output, from the facts of a run or, for those of an earlier release, its record. */
const outputItemsOf = async (run: StoredRun): Promise<readonly number[]> => {
  if (run.facts !== undefined) return run.facts[2];
  const record: { readonly data?: { readonly main?: readonly (readonly unknown[])[] } } = JSON.parse(
    (await readRecord(run)).toString('utf8'),
  );
  return (record.data?.main ?? []).map(({ length }) => length);
};

/** Summarizes the node runs of an execution for the plan of a run that may use their output. */
export const summarize = async (record: ExecutionRecord, ports: RunDataPorts): Promise<PreviousRun> => {
  const nodes = new Map<string, PreviousNode>();
  const succeeded = record.state === 'success';
  for await (const run of eachStoredRun(record, ports)) {
    const known = nodes.get(run.node) ?? { node: run.node, failed: false, runs: 0, filledOutputs: [] };
    known.failed = run.failed;
    known.runs += 1;
    // After a success no node is pending, so that the outputs do not matter.
    if (!succeeded)
      for (const [output, items] of (await outputItemsOf(run)).entries())
        known.filledOutputs[output] = (known.filledOutputs[output] ?? 0) + (items > 0 ? 1 : 0);
    nodes.set(run.node, known);
  }
  const { versionId, startNode, mode, usePinData } = record;
  return {
    versionId,
    startNode,
    succeeded,
    usePinData: mode === 'manual' && usePinData,
    nodes: [...nodes.values()],
  };
};
