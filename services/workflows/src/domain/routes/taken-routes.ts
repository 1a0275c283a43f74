import { overlappingKeys } from '@weft/node-catalogue';
import { WebhookPathTaken } from '../errors';
import type { Listener } from '../ports';
import type { ScopedWorkflows } from '../scoped-stores';
import type { RouteEntry } from '../workflows/workflow';

/** Routes that a workflow would have. */
export interface WantedRoutes {
  readonly ownerId: string;
  /** The workflow, which may already have some of them; empty: not stored. */
  readonly workflowId: string;
  readonly routes: readonly RouteEntry[];
  /** Keys of the routes that it has now: they may stay, whatever overlaps with them. */
  readonly ownKeys: ReadonlySet<string>;
}

/** A route that an activation would be refused for. */
export interface TakenRoute {
  readonly route: RouteEntry;
  /** The workflow that has it; empty if the caller may not see it. */
  readonly holderId: string;
  /** As the error of an activation. */
  readonly message: string;
}

/** The route of a workflow that some request reaches as well as this one. */
export const overlapIn = ({ routes }: Listener, { key }: RouteEntry): RouteEntry | undefined => {
  const pattern = overlappingKeys(key);
  return routes.find((held) => pattern.test(held.key));
};

type Store = Pick<ScopedWorkflows, 'findListeners' | 'findOverlap'>;

/** Keys in one query. */
const MAX_KEYS = 500;

const takenBy = (route: RouteEntry, { workflowId }: Listener, heldPath?: string): TakenRoute => ({
  route,
  holderId: workflowId,
  message: new WebhookPathTaken(route, workflowId, heldPath).message,
});

/** The workflows that have exactly these routes, by key. */
const findHolders = async (store: Store, keys: readonly string[]): Promise<ReadonlyMap<string, Listener>> => {
  const holders = new Map<string, Listener>();
  for (let from = 0; from < keys.length; from += MAX_KEYS)
    for (const holder of await store.findListeners(keys.slice(from, from + MAX_KEYS)))
      for (const { key } of holder.routes) holders.set(key, holder);
  return holders;
};

/**
 * Finds routes that overlap with those of another owner. A workflow with several such routes may get only one of them,
 * which suffices to refuse its activation.
 */
const findOverlaps = async (
  store: Store,
  all: readonly WantedRoutes[],
  taken: ReadonlyMap<WantedRoutes, TakenRoute[]>,
): Promise<void> => {
  for (const [ownerId, wanted] of Map.groupBy(all, (one) => one.ownerId)) {
    let left = wanted.filter((one) => taken.get(one)?.length === 0);
    while (left.length > 0) {
      const keys = left.flatMap(({ routes, ownKeys }) =>
        routes.map(({ key }) => key).filter((key) => !ownKeys.has(key)),
      );
      const holder = await store.findOverlap([...new Set(keys)], ownerId);
      if (holder === undefined) break;
      for (const one of left)
        for (const route of one.routes) {
          const held = one.ownKeys.has(route.key) ? undefined : overlapIn(holder, route);
          if (held !== undefined) taken.get(one)?.push(takenBy(route, holder, held.path));
        }
      const rest = left.filter((one) => taken.get(one)?.length === 0);
      if (rest.length === left.length) break;
      left = rest;
    }
  }
};

/** Finds the routes that other active workflows have, as an activation now would. */
export const findTakenRoutes = async (
  store: Store,
  all: readonly WantedRoutes[],
): Promise<ReadonlyMap<WantedRoutes, readonly TakenRoute[]>> => {
  const keys = new Set(all.flatMap(({ routes }) => routes.map(({ key }) => key)));
  const holders = keys.size === 0 ? new Map<string, Listener>() : await findHolders(store, [...keys]);
  const taken = new Map(
    all.map((one): [WantedRoutes, TakenRoute[]] => [
      one,
      one.routes.flatMap((route) => {
        const holder = one.ownKeys.has(route.key) ? undefined : holders.get(route.key);
        return holder === undefined ? [] : [takenBy(route, holder)];
      }),
    ]),
  );
  await findOverlaps(store, all, taken);
  return taken;
};
