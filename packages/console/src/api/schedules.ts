import type { WorkflowSummary } from '@weft/client';
import { queryOptions } from '@tanstack/react-query';
import { weft } from './client';
import { readChoices } from './lists';

const CLOCKS = new Set(['scheduleTrigger', 'cron', 'interval']);

const isScheduled = (entry: object): entry is WorkflowSummary =>
  'triggers' in entry &&
  Array.isArray(entry.triggers) &&
  entry.triggers.some((trigger: { readonly kind: string }) => CLOCKS.has(trigger.kind));

/** Active workflows with a schedule, of the first 1,000 workflows. */
export const scheduledQuery = queryOptions({
  queryKey: ['workflows', 'scheduled'],
  staleTime: 10_000,
  queryFn: async ({ signal }) => {
    const all = await readChoices((page) =>
      weft.call('listWorkflows', { query: { ...page, summary: true, active: true }, signal }),
    );
    return all.filter(isScheduled);
  },
});
