import { Forbidden } from '@weft/service-kit/errors';
import {
  requireVisible,
  scoped,
  scopedOne,
  scopedPages,
  type Scoped,
  type VisibilityScope,
} from '@weft/service-kit/visibility';
import type { DataTable, DataTableStore } from './data-tables/data-table';
import type { Delivery, DeliveryStore } from './deliveries/delivery';
import type { Listener, WorkflowFilter, WorkflowStore } from './ports';
import type { Variable, VariableStore } from './variables/variables';
import type { Workflow, WorkflowSummary } from './workflows/workflow';

/** Workflows limited to a visibility scope. */
export type ScopedWorkflows = Scoped<
  Pick<
    WorkflowStore,
    'page' | 'find' | 'findHeads' | 'insert' | 'update' | 'findListeners' | 'findKeyHolder' | 'findOverlap'
  > & {
    /** The existing ones among the ids, by id; hidden ones are refusals. */
    readonly summaries: (ids: readonly string[]) => Promise<ReadonlyMap<string, WorkflowSummary | Forbidden>>;
  }
>;

/** Variables limited to a visibility scope. */
export type ScopedVariables = Scoped<VariableStore>;

/** Data tables limited to a visibility scope. */
export type ScopedTables = Scoped<DataTableStore>;

/** Deliveries limited to a visibility scope. */
export type ScopedDeliveries = Scoped<Pick<DeliveryStore, 'page' | 'find' | 'remove'>>;

/** The stores of objects that have owners. */
export interface OwnedStores {
  readonly workflows: WorkflowStore;
  readonly variables: VariableStore;
  readonly tables: DataTableStore;
  readonly deliveries: Pick<DeliveryStore, 'page' | 'find' | 'remove'>;
}

/** The same stores, limited to a visibility scope. */
export interface ScopedStores {
  readonly workflows: ScopedWorkflows;
  readonly variables: ScopedVariables;
  readonly tables: ScopedTables;
  readonly deliveries: ScopedDeliveries;
}

type Owned = Pick<Workflow, 'id' | 'ownerId'>;

const ofWorkflow = ({ id }: Pick<Owned, 'id'>) => ({ workflowId: id });
const ofVariable = ({ id }: Variable) => ({ variableId: id });
const ofTable = ({ id }: DataTable) => ({ dataTableId: id });
const ofDelivery = ({ id }: Delivery) => ({ deliveryId: id });

/** Refuses to add an object that its caller could not read. */
const scopedInsert =
  <Item extends Owned, Outcome>(
    insert: (item: Item) => Promise<Outcome>,
    scope: VisibilityScope,
    detailsOf: (item: Item) => Readonly<Record<string, string>>,
  ) =>
  async (item: Item): Promise<Outcome> => {
    requireVisible(scope, item.ownerId, detailsOf(item));
    return insert(item);
  };

const scopedWorkflows = (store: WorkflowStore, scope: VisibilityScope): ScopedWorkflows => {
  /** The holder of a route is named only to callers who can see it. */
  const withoutName = (listener: Listener): Listener =>
    scope.sees(listener.ownerId) ? listener : { ...listener, workflowId: '' };
  return scoped({
    page: async (filter: WorkflowFilter, afterId: string | undefined, limit: number, ownerId?: string) => {
      if (ownerId === undefined) return store.page(filter, afterId, limit, undefined, scope.hidden);
      return scope.sees(ownerId) ? store.page(filter, afterId, limit, ownerId) : [];
    },
    find: scopedOne(store.find, scope, ofWorkflow),
    findKeyHolder: async (key: string) => {
      const holder = await store.findKeyHolder(key);
      return holder === undefined || scope.sees(holder.ownerId) ? holder : { ...holder, id: '' };
    },
    findHeads: async (ids: readonly string[]) =>
      (await store.findHeads(ids)).filter(({ ownerId }) => scope.sees(ownerId)),
    insert: scopedInsert(store.insert, scope, ofWorkflow),
    update: store.update,
    findListeners: async (keys: readonly string[]) => (await store.findListeners(keys)).map(withoutName),
    findOverlap: async (keys: readonly string[], ownerId: string) => {
      const found = await store.findOverlap(keys, ownerId);
      return found === undefined ? undefined : withoutName(found);
    },
    summaries: async (ids: readonly string[]) =>
      new Map(
        (await store.summaries(ids)).map((workflow) => [
          workflow.id,
          scope.sees(workflow.ownerId) ? workflow : new Forbidden(scope.refusal, ofWorkflow(workflow)),
        ]),
      ),
  });
};

/**
 * The only access to the stores for use cases of users and runs, so that none of them can bypass closed projects. Pages
 * leave out hidden objects; reading a hidden object by its id throws Forbidden.
 */
export const withinScope = (
  { workflows, variables, tables, deliveries }: OwnedStores,
  scope: VisibilityScope,
): ScopedStores => ({
  workflows: scopedWorkflows(workflows, scope),
  variables: scoped({
    ...variables,
    page: scopedPages(variables.page, scope),
    find: scopedOne(variables.find, scope, ofVariable),
    insert: scopedInsert(variables.insert, scope, ofVariable),
  }),
  tables: scoped({
    ...tables,
    page: scopedPages(tables.page, scope),
    find: scopedOne(tables.find, scope, ofTable),
    findByName: scopedOne(tables.findByName, scope, ofTable),
    insert: scopedInsert(tables.insert, scope, ofTable),
  }),
  deliveries: scoped({
    page: (filter, afterId, limit) => deliveries.page(filter, afterId, limit, scope.hidden),
    find: scopedOne(deliveries.find, scope, ofDelivery),
    remove: deliveries.remove,
  }),
});
