import { Forbidden } from '@weft/service-kit/errors';
import { demandSight, seen, seenOne, seenPages, type Seen, type Sight } from '@weft/service-kit/sight';
import type { DataTable, DataTableStore } from './data-tables/data-table';
import type { Delivery, DeliveryStore } from './deliveries/delivery';
import type { Listener, WorkflowStore } from './ports';
import type { Variable, VariableStore } from './variables/variables';
import type { Workflow, WorkflowSummary } from './workflow';

/** Workflows limited to a visibility scope. */
export type SeenWorkflows = Seen<
  Pick<WorkflowStore, 'page' | 'find' | 'findHeads' | 'insert' | 'update' | 'findListeners'> & {
    /** The existing ones among the ids, by id; hidden ones are refusals. */
    readonly summaries: (ids: readonly string[]) => Promise<ReadonlyMap<string, WorkflowSummary | Forbidden>>;
  }
>;

/** Variables limited to a visibility scope. */
export type SeenVariables = Seen<VariableStore>;

/** Data tables limited to a visibility scope. */
export type SeenTables = Seen<DataTableStore>;

/** Deliveries limited to a visibility scope. */
export type SeenDeliveries = Seen<Pick<DeliveryStore, 'page' | 'find' | 'remove'>>;

/** The stores of objects that have owners. */
export interface OwnedStores {
  readonly workflows: WorkflowStore;
  readonly variables: VariableStore;
  readonly tables: DataTableStore;
  readonly deliveries: Pick<DeliveryStore, 'page' | 'find' | 'remove'>;
}

/** The same stores, limited to a visibility scope. */
export interface SeenStores {
  readonly workflows: SeenWorkflows;
  readonly variables: SeenVariables;
  readonly tables: SeenTables;
  readonly deliveries: SeenDeliveries;
}

type Owned = Pick<Workflow, 'id' | 'ownerId'>;

const ofWorkflow = ({ id }: Pick<Owned, 'id'>) => ({ workflowId: id });
const ofVariable = ({ id }: Variable) => ({ variableId: id });
const ofTable = ({ id }: DataTable) => ({ dataTableId: id });
const ofDelivery = ({ id }: Delivery) => ({ deliveryId: id });

/** Refuses to add an object that its caller could not read. */
const seenInsert =
  <Item extends Owned, Outcome>(
    insert: (item: Item) => Promise<Outcome>,
    sight: Sight,
    detailsOf: (item: Item) => Readonly<Record<string, string>>,
  ) =>
  async (item: Item): Promise<Outcome> => {
    demandSight(sight, item.ownerId, detailsOf(item));
    return insert(item);
  };

const seenWorkflows = (store: WorkflowStore, sight: Sight): SeenWorkflows => {
  /** The holder of a route is named only to callers who can see it. */
  const withoutName = (listener: Listener): Listener =>
    sight.sees(listener.ownerId) ? listener : { ...listener, workflowId: '' };
  return seen({
    page: seenPages(store.page, sight),
    find: seenOne(store.find, sight, ofWorkflow),
    findHeads: async (ids: readonly string[]) =>
      (await store.findHeads(ids)).filter(({ ownerId }) => sight.sees(ownerId)),
    insert: seenInsert(store.insert, sight, ofWorkflow),
    update: store.update,
    findListeners: async (keys: readonly string[]) => (await store.findListeners(keys)).map(withoutName),
    summaries: async (ids: readonly string[]) =>
      new Map(
        (await store.summaries(ids)).map((workflow) => [
          workflow.id,
          sight.sees(workflow.ownerId) ? workflow : new Forbidden(sight.refusal, ofWorkflow(workflow)),
        ]),
      ),
  });
};

/**
 * The only access to the stores for use cases of users and runs, so that none of them can bypass closed projects. Pages
 * leave out hidden objects; reading a hidden object by its id throws Forbidden.
 */
export const withinSight = ({ workflows, variables, tables, deliveries }: OwnedStores, sight: Sight): SeenStores => ({
  workflows: seenWorkflows(workflows, sight),
  variables: seen({
    ...variables,
    page: seenPages(variables.page, sight),
    find: seenOne(variables.find, sight, ofVariable),
    insert: seenInsert(variables.insert, sight, ofVariable),
  }),
  tables: seen({
    ...tables,
    page: seenPages(tables.page, sight),
    find: seenOne(tables.find, sight, ofTable),
    findByName: seenOne(tables.findByName, sight, ofTable),
    insert: seenInsert(tables.insert, sight, ofTable),
  }),
  deliveries: seen({
    page: (filter, afterId, limit) => deliveries.page(filter, afterId, limit, sight.hidden),
    find: seenOne(deliveries.find, sight, ofDelivery),
    remove: deliveries.remove,
  }),
});
