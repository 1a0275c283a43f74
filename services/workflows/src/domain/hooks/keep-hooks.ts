import { APP_KINDS, hooksOf } from '@weft/nodes/descriptors';
import { readVersion } from '../definitions/type-version-defaults';
import type { VersionStore, WorkflowStore } from '../ports';
import type { Workflow } from '../workflows/workflow';
import type { Hook, HookContent, HookStore } from './hook';
import type { HookOutcome, HookRequests } from './hook-requests';
import { contentOf, hookId, hookRouteKey, isHookRoute } from './hook-routes';

/** Maximum number of requests under way in this process, and for one owner. */
const MAX_UNDER_WAY = 16;
const MAX_OF_OWNER = 2;

/** Number of due hooks that are read at once. */
const PAGE = 100;

/** Dependencies of keeping hooks. */
export interface KeepHooksDeps {
  readonly store: HookStore;
  readonly workflows: Pick<WorkflowStore, 'find' | 'findListeners'>;
  readonly versions: Pick<VersionStore, 'find'>;
  readonly requests: HookRequests;
  /** Selects the share of this replica. */
  readonly takeMine: (due: readonly Hook[]) => readonly Hook[];
  /** Unix milliseconds by the clock of the store. */
  readonly clock: () => number;
  /** Called after a failure. */
  readonly onTrouble: (hook: Hook, message: string) => void;
  /** Called for an error that is no outcome. */
  readonly onError: (error: unknown) => void;
}

/** Keeps hooks as they should be, in the background. */
export interface KeepHooks {
  /** Begins the work on due hooks as far as there is room. Never waits for a service. */
  readonly tick: () => Promise<void>;
  /** Resolves when nothing is under way. */
  readonly untilIdle: () => Promise<void>;
}

/** The hooks that an active workflow should have, by id; none if it is inactive. */
export const readWantedHooks = async (
  versions: Pick<VersionStore, 'find'>,
  { id, activation }: Pick<Workflow, 'id' | 'activation'>,
): Promise<ReadonlyMap<string, HookContent>> => {
  if (activation === undefined || !activation.routes.some(isHookRoute)) return new Map();
  const [version] = await versions.find([activation.versionId]);
  const hooks = version === undefined ? [] : hooksOf(readVersion(version));
  const held = new Set(activation.routes.map(({ key }) => key));
  return new Map(
    hooks
      .filter((hook) => held.has(hookRouteKey(id, hook)))
      .map((hook): [string, HookContent] => [hookId(id, hook), contentOf(hook)]),
  );
};

/** True if an active workflow has the hook that its service allows once: nothing may be removed there. */
export const isHeld = async (
  workflows: Pick<WorkflowStore, 'findListeners'>,
  { workflowId, ...hook }: Pick<Hook, 'workflowId' | 'path' | 'credentialId' | 'exclusiveKey'>,
): Promise<boolean> =>
  hook.exclusiveKey !== undefined && (await workflows.findListeners([hookRouteKey(workflowId, hook)])).length > 0;

/**
 * True for a hook that was never confirmed, if another one with its address is registered: what the service has at this
 * address is the other one's.
 */
const isTakenOver = async (
  store: Pick<HookStore, 'find'>,
  { id, path, registration }: Hook,
  wanted: ReadonlyMap<string, HookContent>,
): Promise<boolean> => {
  const ids = [...wanted].flatMap(([other, content]) => (other !== id && content.path === path ? [other] : []));
  if (registration !== undefined || ids.length === 0) return false;
  return (await store.find(ids)).some((other) => other.registration !== undefined);
};

export const createKeepHooks = (deps: KeepHooksDeps): KeepHooks => {
  const { store, workflows, versions, requests, takeMine, clock, onTrouble, onError } = deps;
  const underWay = new Map<string, { readonly ownerId: string; readonly ends: Promise<void> }>();

  const keep = async (hook: Hook): Promise<HookOutcome> => {
    const workflow = await workflows.find(hook.workflowId);
    const all = workflow === undefined ? new Map<string, HookContent>() : await readWantedHooks(versions, workflow);
    const wanted = all.get(hook.id);
    if (workflow === undefined || wanted === undefined)
      return requests.remove(hook, (await isHeld(workflows, hook)) || (await isTakenOver(store, hook, all)));
    return requests.ensure({ ...hook, ownerId: workflow.ownerId }, wanted, true);
  };
  const work = async (hook: Hook): Promise<void> => {
    try {
      const outcome = await keep(hook);
      if (outcome.kind === 'failed') onTrouble(hook, outcome.message);
    } catch (error) {
      onError(error);
    } finally {
      underWay.delete(hook.id);
    }
  };
  const busyOwners = (): string[] => {
    const owners = Map.groupBy([...underWay.values()], ({ ownerId }) => ownerId);
    return [...owners].flatMap(([ownerId, all]) => (all.length < MAX_OF_OWNER ? [] : [ownerId]));
  };
  const begin = (hook: Hook): void => {
    if (underWay.size >= MAX_UNDER_WAY || underWay.has(hook.id) || busyOwners().includes(hook.ownerId)) return;
    underWay.set(hook.id, { ownerId: hook.ownerId, ends: work(hook) });
  };

  return {
    tick: async () => {
      // Hooks of an owner whose services hang must not hide those of others.
      for (let read = PAGE; read === PAGE && underWay.size < MAX_UNDER_WAY;) {
        const before = underWay.size;
        const wanted = { kinds: APP_KINDS, exceptOwnerIds: busyOwners() };
        const due = await store.due(new Date(clock()), PAGE, wanted);
        for (const hook of takeMine(due)) begin(hook);
        read = underWay.size === before ? 0 : due.length;
      }
    },
    untilIdle: async () => {
      await Promise.all([...underWay.values()].map(({ ends }) => ends));
    },
  };
};
