import { type GraphMarks, NO_MARKS } from '../../graph/graph-view';

/**
 * What a run shows on the canvas: marks by the name of the node, items by the id of the link (`linkId`).
 */
export const useRunMarks = (): GraphMarks => NO_MARKS;
