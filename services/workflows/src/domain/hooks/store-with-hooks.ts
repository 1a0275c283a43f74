import { readDefinition } from '@weft/node-catalogue';
import { isRetryable, type ServiceError, Unavailable } from '@weft/service-kit/errors';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseStored } from '../definitions/type-version-defaults';
import { toFieldErrors, WorkflowNotRunnable } from '../errors';
import type { VersionStore, WriteOutcome } from '../ports';
import type { Activation, Workflow } from '../workflows/workflow';
import type { CallHook, Hook, HookContent, HookStore } from './hook';
import type { HookRequests } from './hook-requests';
import { isHookRoute } from './hook-routes';
import { readWantedHooks } from './keep-hooks';

/** Time after which a hook is removed whose workflow was not stored, unless it is active by then. */
const PREPARED_MS = 30_000;
/** Time for which another request about the same hook is waited for. */
const MAX_WAIT_MS = 16_000;
const POLL_MS = 100;

/** A write of a workflow that changes its activation. */
export interface HookedWrite {
  readonly previous: Activation | undefined;
  /** The workflow to be stored. */
  readonly next: Workflow;
  readonly write: () => Promise<Exclude<WriteOutcome, 'taken'>>;
  /** Stores the earlier workflow, or an inactive one. @throws if it has changed */
  readonly undo: () => Promise<void>;
}

/** Dependencies of storing workflows with hooks. */
export interface StoreWithHooksDeps {
  readonly store: HookStore;
  readonly versions: Pick<VersionStore, 'find'>;
  readonly requests: HookRequests;
  readonly callHook: CallHook;
  /** Lets the background work look for due hooks. */
  readonly wake: () => void;
  /** Unix milliseconds by the clock of the store. */
  readonly clock: () => number;
}

/**
 * Stores a workflow and registers its hooks with their services. A service that refuses one undoes the write. Whatever
 * happens in between, the background work brings the hooks to what is stored.
 * @throws WorkflowNotRunnable with the message of the service; ServiceError if a request cannot be made
 */
export type StoreWithHooks = (change: HookedWrite) => Promise<Exclude<WriteOutcome, 'taken'>>;

const hasHooks = (activation: Activation | undefined): boolean => activation?.routes.some(isHookRoute) === true;

/** Hooks with one key: those of workflows that were deactivated lately. */
const MAX_OF_KEY = 20;

export const createStoreWithHooks = (deps: StoreWithHooksDeps): StoreWithHooks => {
  const { store, versions, requests, callHook, wake, clock } = deps;

  /** Repeats until an attempt succeeds: requests of other processes end, or their leases do. */
  const until = async <Result>(attempt: () => Promise<Result | undefined>): Promise<Result> => {
    const end = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const result = await attempt();
      if (result !== undefined) return result;
      if (performance.now() > end)
        throw new Unavailable('A trigger of the workflow is being registered or removed. Try again.');
      await sleep(POLL_MS);
    }
  };

  /** Stores a hook with its secret before anything can call it. */
  const prepare = async (
    id: string,
    content: HookContent,
    { id: workflowId, ownerId }: Workflow,
  ): Promise<undefined> => {
    const [known] = await store.find([id]);
    if (known !== undefined) return undefined;
    const empty = { id, workflowId, ownerId, ...content, sealedSecret: '' };
    const { sealedSecret } = await callHook('prepare', { ...empty, url: '', keptJson: '' });
    await store.insert({
      ...empty,
      sealedSecret,
      isAttempted: false,
      base: '',
      nextAt: new Date(clock() + PREPARED_MS),
      failures: 0,
      message: '',
      revision: 1,
    });
    return undefined;
  };

  /** Ends the removal of earlier hooks of the same key: it would remove the new one. */
  const claimKey = async (id: string, { exclusiveKey }: HookContent): Promise<void> => {
    if (exclusiveKey === undefined) return;
    await until(async () => {
      const others = (await store.ofKey(exclusiveKey, MAX_OF_KEY)).filter((other) => other.id !== id);
      const left = await Promise.all(others.map((other) => requests.remove(other, true)));
      return left.every(({ kind }) => kind === 'done') ? true : undefined;
    });
  };

  const register = async (
    id: string,
    content: HookContent,
    workflow: Workflow,
  ): Promise<ServiceError | string | undefined> => {
    await claimKey(id, content);
    const outcome = await until(async () => {
      const [hook]: Hook[] = await store.find([id]);
      // Its removal after an earlier deactivation has just ended.
      if (hook === undefined) return prepare(id, content, workflow);
      const made = await requests.ensure(hook, content, false);
      return made.kind === 'busy' ? undefined : made;
    });
    return outcome.kind === 'failed' ? (outcome.error ?? outcome.message) : undefined;
  };

  /** @throws the error with which the change of the workflow is refused */
  const refuse = async (workflow: Workflow, { node }: HookContent, why: ServiceError | string): Promise<never> => {
    if (typeof why !== 'string' && isRetryable(why.kind)) throw why;
    const [version] = await versions.find([workflow.versionId]);
    const { nodes } = readDefinition({ ...(version === undefined ? {} : parseStored(version)) });
    const message = `Node "${node}" cannot be registered: ${typeof why === 'string' ? why : why.message}`;
    throw new WorkflowNotRunnable(workflow.id, toFieldErrors({ nodes }, [{ node, field: 'type', message }]));
  };

  return async function storeWithHooks({ previous, next, write, undo }) {
    if (next.activation?.id === previous?.id || !(hasHooks(next.activation) || hasHooks(previous))) return write();
    const wanted = await readWantedHooks(versions, next);
    const recheckOthers = async (exceptIds: readonly string[]): Promise<void> => {
      await store.recheck({ workflowId: next.id, exceptIds }, new Date(clock()));
      wake();
    };
    for (const [id, content] of wanted) await prepare(id, content, next);
    try {
      const outcome = await write();
      if (outcome !== 'done') return outcome;
    } catch (error) {
      await recheckOthers([]);
      throw error;
    }
    for (const [id, content] of wanted) {
      const why = await register(id, content, next).catch((error: ServiceError) => error);
      if (why === undefined) continue;
      await undo().finally(() => recheckOthers([]));
      await refuse(next, content, why);
    }
    await recheckOthers([...wanted.keys()]);
    return 'done';
  };
};
