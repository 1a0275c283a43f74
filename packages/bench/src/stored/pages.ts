import { StackError } from '@weft/local-stack';
import type { Api } from '../api';
import type { Filled } from './fill-store';

/** A page that is measured: its path in each stack. */
export interface MeasuredPage {
  readonly what: string;
  readonly pathIn: (api: Api, filled: Filled) => Promise<string>;
}

const FILTERS: readonly [what: string, query: (filled: Filled) => Readonly<Record<string, string>>][] = [
  ['no filter', () => ({})],
  ['status=success', () => ({ status: 'success' })],
  ['status=error', () => ({ status: 'error' })],
  ['status=waiting', () => ({ status: 'waiting' })],
  ['status=running', () => ({ status: 'running' })],
  ['workflowId of half of them', ({ commonWorkflowId }) => ({ workflowId: commonWorkflowId })],
  ['workflowId of a tenth', ({ tenthWorkflowId }) => ({ workflowId: tenthWorkflowId })],
  [
    'workflowId of half, status=success',
    ({ commonWorkflowId }) => ({ workflowId: commonWorkflowId, status: 'success' }),
  ],
  [
    'workflowId of half, status=waiting',
    ({ commonWorkflowId }) => ({ workflowId: commonWorkflowId, status: 'waiting' }),
  ],
  ['workflowId of a tenth, status=error', ({ tenthWorkflowId }) => ({ workflowId: tenthWorkflowId, status: 'error' })],
];

/**
 * Places of a page: the share of all executions that are newer than its first one. Every page is full in both stacks:
 * of 10,000 executions, at least 24 are older and match.
 */
const PLACES: readonly [what: string, newer: number][] = [
  ['first page', 0],
  ['in the middle', 0.5],
  ['at seven tenths', 0.7],
];

const pathOf = (query: Readonly<Record<string, string>>): string =>
  `/executions?${new URLSearchParams({ limit: '20', ...query }).toString()}`;

/** A cursor of the list with another id in it: `v1.` and the JSON of id and filter in base64url. */
const movedCursor = (cursor: string, id: string): string => {
  const parts: unknown = JSON.parse(Buffer.from(cursor.slice(3), 'base64url').toString());
  if (!cursor.startsWith('v1.') || !Array.isArray(parts)) throw new StackError('The form of cursors has changed.');
  return `v1.${Buffer.from(JSON.stringify([id, parts[1]])).toString('base64url')}`;
};

/** The pages of every filter. */
export const PAGES: readonly MeasuredPage[] = FILTERS.flatMap(([filter, query]) =>
  PLACES.map(([place, newer]) => ({
    what: `${filter}, ${place}`,
    pathIn: async (api: Api, filled: Filled): Promise<string> => {
      const path = pathOf(query(filled));
      if (newer === 0) return path;
      const { nextCursor } = await api.readPage(path.replace('limit=20', 'limit=1'));
      const id = filled.ids[Math.floor(filled.ids.length * (1 - newer))];
      return nextCursor === null || id === undefined
        ? path
        : `${path}&cursor=${encodeURIComponent(movedCursor(nextCursor, id))}`;
    },
  })),
);
