import { readPage, shownOf, type Page, type PageParams } from '@weft/service-kit/paging';
import type { VisibilityScope } from '@weft/service-kit/visibility';
import type { DueWorkflow, ScheduleStore } from '../ports';

/** Pages through active workflows that will be due, the next one first. Pages may be short: hidden ones are omitted. */
export type ListSchedules = (page: PageParams) => Promise<Page<DueWorkflow>>;

/** Later than any due time. */
const FOREVER = new Date(8_640_000_000_000_000);

const placeOf = ({ checkAt, workflowId }: DueWorkflow): string => `${checkAt.getTime()}:${workflowId}`;

const readPlace = (place: string | undefined): Pick<DueWorkflow, 'checkAt' | 'workflowId'> | undefined => {
  const [at = '', workflowId = ''] = place?.split(':') ?? [];
  return place === undefined ? undefined : { checkAt: new Date(Number(at)), workflowId };
};

export const createListSchedules = (
  schedules: Pick<ScheduleStore, 'findDue'>,
  { sees }: Pick<VisibilityScope, 'sees'>,
): ListSchedules =>
  function listSchedules(page) {
    return readPage(
      {
        idOf: placeOf,
        read: async (after, limit) => {
          const found = await schedules.findDue(FOREVER, readPlace(after), limit);
          return shownOf(found, limit, ({ ownerId }) => sees(ownerId), placeOf);
        },
      },
      page,
    );
  };
