import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useEffect, useMemo, useState } from 'react';
import { type LiveRun, useLiveRun } from '../../../api/live';
import { executionQuery, queryClient } from '../../../api/queries';
import { plural } from '../../../ui/format';
import { wordOf } from '../../../ui/run-state';
import { lastNodeOf } from '../../executions/execution-facts';
import { marksOf, rowsOf } from '../../executions/run-model';
import { GraphView, NO_MARKS } from '../../graph/graph-view';
import { useEditor } from '../editor-context';

type GraphProps = Omit<ComponentProps<typeof GraphView>, 'marks'>;

/** Says changes of the run to screen readers, at most once a second. */
const Announcer = ({ text }: { text: string }) => {
  const [shown, setShown] = useState('');
  useEffect(() => {
    const timer = window.setTimeout(() => setShown(text), 1_000);
    return () => window.clearTimeout(timer);
  }, [text]);
  return (
    <p className="sr" role="status">
      {shown}
    </p>
  );
};

/** Reads what the panels show again as soon as the run has ended. */
const useRefresh = (id: string, { connection }: LiveRun): void => {
  useEffect(() => {
    if (connection !== 'ended') return;
    for (const key of ['execution', 'stored-run']) void queryClient.invalidateQueries({ queryKey: [key, id] });
  }, [id, connection]);
};

const LiveGraph = ({ id, ...props }: GraphProps & { id: string }) => {
  const run = useLiveRun(id);
  const execution = useQuery(executionQuery(id)).data;
  useRefresh(id, run);
  const waitsAt = execution?.state === 'waiting' ? lastNodeOf(execution) : undefined;
  const rows = useMemo(() => rowsOf(run, waitsAt), [run, waitsAt]);
  const { graph } = props;
  const marks = useMemo(
    () => (rows.length === 0 ? NO_MARKS : { ...marksOf(graph, rows), isRun: false }),
    [graph, rows],
  );
  const state = execution === undefined ? '' : `${wordOf(execution.state)}, ${plural(rows.length, 'node run')}`;
  return (
    <>
      <GraphView {...props} marks={marks} />
      <Announcer text={state} />
    </>
  );
};

/** The graph of the draft with the run whose data the editor shows, as it proceeds. */
export const RunGraph = (props: GraphProps) => {
  const { source } = useEditor();
  return source === undefined ? (
    <GraphView {...props} marks={NO_MARKS} />
  ) : (
    <LiveGraph {...props} id={source.executionId} />
  );
};
