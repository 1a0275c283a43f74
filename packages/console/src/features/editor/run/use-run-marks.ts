import { useQuery } from '@tanstack/react-query';
import { linksOf, type WorkflowDefinition } from '@weft/node-catalogue/definitions';
import { useEffect, useMemo } from 'react';
import { useLiveRun } from '../../../api/live';
import { executionQuery, queryClient } from '../../../api/queries';
import { lastNodeOf } from '../../executions/execution-facts';
import { itemsPassed, type NodeRunRow, nodeMarksOf, rowsOf } from '../../executions/run-model';
import { type GraphMarks, NO_MARKS, type NodeMark } from '../../graph/marks';
import { useEditor } from '../editor-context';
import { useChangedNodes } from './changed';
import { linkId } from '../operations/links';

/** Numbers of items that passed, by link of the draft. */
const itemsOf = (definition: WorkflowDefinition, rows: readonly NodeRunRow[]): ReadonlyMap<string, number> =>
  itemsPassed(
    rows,
    linksOf(definition).map((link) => ({ ...link, id: linkId({ ...link, type: 'main' }) })),
  );

/** The marks, in which nodes that have changed since do not look as if their draft had run. */
const withChanges = (
  marks: ReadonlyMap<string, NodeMark>,
  changed: ReadonlySet<string>,
): ReadonlyMap<string, NodeMark> =>
  changed.size === 0
    ? marks
    : new Map(
        [...marks].map(([name, mark]) => [
          name,
          changed.has(name)
            ? { tone: 'neutral', icon: 'alert', text: 'changed', label: `${mark.label}, changed since this run` }
            : mark,
        ]),
      );

/**
 * Marks of the execution whose data the editor shows, as it proceeds: of nodes by name, and the number of items that
 * passed by the id of the link.
 */
export const useRunMarks = (): GraphMarks => {
  const { source, document } = useEditor();
  const id = source?.executionId ?? '';
  const run = useLiveRun(id);
  const execution = useQuery({ ...executionQuery(id), enabled: id !== '' }).data;
  const hasEnded = run.connection === 'ended';
  // The panels read the data again as soon as the run has ended.
  useEffect(() => {
    if (hasEnded)
      for (const key of ['execution', 'stored-run']) void queryClient.invalidateQueries({ queryKey: [key, id] });
  }, [id, hasEnded]);
  const waitsAt = execution?.state === 'waiting' ? lastNodeOf(execution) : undefined;
  const rows = useMemo(() => rowsOf(run, waitsAt), [run, waitsAt]);
  const { definition } = document;
  const changed = useChangedNodes();
  return useMemo(
    () =>
      rows.length === 0
        ? NO_MARKS
        : { nodes: withChanges(nodeMarksOf(rows), changed), items: itemsOf(definition, rows), isRun: false },
    [definition, rows, changed],
  );
};
