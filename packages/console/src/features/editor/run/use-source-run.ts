import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useLiveRun } from '../../../api/live';
import { executionQuery, queryClient } from '../../../api/queries';
import { plural } from '../../../ui/format';
import { wordOf } from '../../../ui/run-state';
import { lastNodeOf } from '../../executions/execution-facts';
import { type NodeRunRow, rowsOf } from '../../executions/run-model';
import { useEditor } from '../editor-context';

/** The run whose data the editor shows, as it proceeds. */
export interface SourceRun {
  readonly rows: readonly NodeRunRow[];
  /** State of the run in words; empty without a run. */
  readonly text: string;
}

/** Follows the run whose data the editor shows. Opens a stream: use it once per page. */
export const useSourceRun = (): SourceRun => {
  const id = useEditor().source?.executionId;
  const run = useLiveRun(id);
  const execution = useQuery({ ...executionQuery(id ?? ''), enabled: id !== undefined }).data;
  const { connection } = run;
  // The panels read what is stored again as soon as the run has ended.
  useEffect(() => {
    if (connection !== 'ended') return;
    for (const key of ['execution', 'stored-run']) void queryClient.invalidateQueries({ queryKey: [key, id] });
  }, [id, connection]);
  const waitsAt = execution?.state === 'waiting' ? lastNodeOf(execution) : undefined;
  const rows = useMemo(() => rowsOf(run, waitsAt), [run, waitsAt]);
  const text = execution === undefined ? '' : `${wordOf(execution.state)}, ${plural(rows.length, 'node run')}`;
  return { rows, text };
};
