import { idText, integer, text } from '../../http/shape';

/** Arguments that several tools have. */
export const WORKFLOW_ID = idText({ description: 'The id of the workflow, from list_workflows.' });
export const EXECUTION_ID = idText({ description: 'The id of the execution.' });
export const PAGE_SIZE = integer(1, 100, { description: 'Entries of a page. Default: 20.' });
export const PAGE_CURSOR = text({ description: 'nextCursor of the previous page.' });
export const OFFSET = integer(0, 100_000_000, {
  description: 'The character to continue at, from a truncated result. Default: 0.',
});
