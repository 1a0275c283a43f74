import { useMemo } from 'react';
import { marksOf, type NodeRunRow } from '../../executions/run-model';
import { type GraphMarks, NO_MARKS } from '../../graph/graph-view';
import type { CanvasModel } from '../canvas/canvas-model';

/** Marks of node runs on the canvas: of nodes by the name of the node, items by the id of the link in the model. */
export const useRunMarks = ({ links }: CanvasModel, rows: readonly NodeRunRow[]): GraphMarks =>
  useMemo(() => {
    if (rows.length === 0) return NO_MARKS;
    const edges = links.map(({ id, from, output, to, type }) => ({
      id,
      source: from,
      output,
      target: to,
      isMain: type === 'main',
    }));
    // Nodes that the run did not reach are part of the draft: they are not drawn as left out.
    return { ...marksOf(edges, rows), isRun: false };
  }, [links, rows]);
