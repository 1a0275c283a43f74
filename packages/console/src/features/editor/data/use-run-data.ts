import type { Execution } from '@weft/client';
import { inferSources, type PreviewRun } from '@weft/engine/preview/session';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { executionQuery } from '../../../api/queries';
import { storedRunQuery, upstreamRunsQuery } from '../../../api/run-queries';
import { useStable } from '../../../ui/use-stable';
import { useStore } from '../../../ui/store';
import { type NodeRunRow, rowsOf } from '../../executions/run-model';
import { useEditor } from '../editor-context';
import { previewRunsOf, subNodesOf, withSources } from './preview-runs';
import { selection, type Selection, selectionOf } from './selection';

/** The node run that fills an input; null for an input that gets nothing. */
export type Source = ReturnType<typeof inferSources>[number];

/** Data of the chosen execution, for one node. */
export interface RunData {
  readonly executionId: string | undefined;
  readonly execution: Execution | undefined;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly reload: () => void;
  /** All node runs of the execution. */
  readonly runs: readonly PreviewRun[];
  /** Runs of the node. */
  readonly ownRuns: readonly NodeRunRow[];
  readonly selected: Selection;
  /** The run of the node that is shown; 0 if it has not run. */
  readonly run: number;
  /** The node runs that fill the inputs of the node. */
  readonly sources: readonly Source[];
}

/** The node run that fills an input; undefined if it is not stored. */
export const runOf = (source: Source, runs: RunData['runs']): PreviewRun | undefined =>
  source === null
    ? undefined
    : runs.find(({ node, run }) => node === source.previousNode && run === (source.previousNodeRun ?? 0));

/** Number of items of an input. */
export const totalOf = (source: Source, runs: RunData['runs']): number =>
  runOf(source, runs)?.items[source?.previousNodeOutput ?? 0] ?? 0;

const NONE: readonly NodeRunRow[] = [];

/** Reads the node runs of the chosen execution, with the records that lead to a node. */
export const useRunData = (name: string): RunData => {
  const { source, document, kinds } = useEditor();
  const id = source?.executionId;
  const execution = useQuery({ ...executionQuery(id ?? ''), enabled: id !== undefined });
  const stored = useQuery({ ...storedRunQuery(id ?? ''), enabled: id !== undefined });
  const selected = selectionOf(useStore(selection), name);
  const rows = useMemo(
    () =>
      stored.data === undefined
        ? NONE
        : rowsOf(stored.data, undefined).filter(({ executionIndex }) => executionIndex !== undefined),
    [stored.data],
  );
  const ownRuns = useMemo(() => rows.filter((row) => row.node === name), [rows, name]);
  const run = ownRuns.some((row) => row.run === selected.run) ? (selected.run ?? 0) : (ownRuns.at(-1)?.run ?? 0);
  const { definition } = document;
  const subNodes = useMemo(() => subNodesOf(definition.nodes, kinds), [definition, kinds]);
  const bare = useMemo(() => previewRunsOf(rows, subNodes), [rows, subNodes]);
  const indexOf = useMemo(() => indexOfRuns(bare), [bare]);
  const own = indexOf(name, run);
  const guessed = useMemo(() => inferSources(definition, bare, name, run), [definition, bare, name, run]);
  const origin = useMemo(() => {
    const feeding = guessed.map((one) =>
      one === null ? undefined : indexOf(one.previousNode, one.previousNodeRun ?? 0),
    );
    return [own, ...feeding].filter((index) => index !== undefined);
  }, [guessed, own, indexOf]);
  const upstream = useQuery({
    ...upstreamRunsQuery(id ?? '', origin, indexOf),
    enabled: id !== undefined && origin.length > 0,
  });
  const runs = useMemo(() => withSources(bare, upstream.data ?? []), [bare, upstream.data]);
  const sources = useStable(useMemo(() => inferSources(definition, runs, name, run), [definition, runs, name, run]));
  return {
    executionId: id,
    execution: execution.data,
    isLoading:
      id !== undefined && (stored.isPending || execution.isPending || (origin.length > 0 && upstream.isPending)),
    error: stored.error ?? execution.error ?? upstream.error,
    reload: () => void Promise.all([stored.refetch(), execution.refetch(), upstream.refetch()]),
    runs,
    ownRuns,
    selected,
    run,
    sources,
  };
};

const indexOfRuns = (runs: readonly PreviewRun[]): ((node: string, run: number) => number | undefined) => {
  const indexes = new Map(runs.map(({ node, run, executionIndex }) => [`${run} ${node}`, executionIndex]));
  return (node, run) => indexes.get(`${run} ${node}`);
};
