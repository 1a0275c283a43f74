import { type GraphMarks, NO_MARKS } from '../../graph/graph-view';

/**
 * Marks of a run on the canvas: of nodes by the name of the node, items by the id of the link (`linkId`).
 */
export const useRunMarks = (): GraphMarks => NO_MARKS;
