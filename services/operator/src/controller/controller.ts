import type { Logger } from '@weft/service-kit/logging';
import { unixTimeOf } from '@weft/service-kit/context';
import { startLoop } from '@weft/service-kit/lifecycle';
import { conditionOf } from '../domain/conditions';
import { Failed, failureOf } from '../domain/failures';
import type { Outcome } from '../domain/facts';
import {
  keyOf,
  type Condition,
  type Kind,
  type WeftApp,
  type WeftCredential,
  type WeftWorkflow,
} from '../domain/objects';
import { reconcileApp } from '../domain/reconcile-app';
import { reconcileCredential } from '../domain/reconcile-credential';
import { reconcileWorkflow } from '../domain/reconcile-workflow';
import type { Objects } from '../kubernetes/objects';
import { createOperatorMetrics } from '../metrics';
import type { createWeftCalls } from '../weft/weft-calls';
import { createNamespace, type Namespace } from './namespace';
import { createObjectMemory, idOf, type KnownObject } from './object-memory';
import { createWorkQueue, type QueueItem, type Repeat } from './work-queue';

export interface ControllerDeps {
  readonly cluster: string;
  readonly publicUrl: string;
  readonly resyncMs: number;
  readonly keyPollMs: number;
  readonly objects: Objects;
  readonly connect: (apiKey: string) => ReturnType<typeof createWeftCalls>;
  readonly logger: Logger;
}

const CONCURRENCY = 8;
const PER_NAMESPACE = 2;
const MIN_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 300_000;
const CONFIRM_EVERY_MS = 1_000;
/** Poll no more often than the queue works off: a poll of all namespaces must end before the next. */
const POLLED_AT_ONCE = 4;

/** True for an app that has not been applied as it is now, and that may still be. */
const isPending = ({ metadata, status }: WeftApp): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status?.observedGeneration !== metadata.generation || conditionOf(status.conditions, 'Reconciling') !== undefined);

const repeatOf = ({ again }: Outcome<unknown>): Repeat => {
  if (again.when === 'backoff') return 'backoff';
  return again.when === 'resync' ? 'none' : { afterMs: again.ms };
};

/** Reconciles objects as they change, and polls Weft for changes made there. */
export const createController = (deps: ControllerDeps) => {
  const { cluster, publicUrl, objects, logger } = deps;
  const startedAt = Date.now();
  const workflows = createObjectMemory<WeftWorkflow>('WeftWorkflow');
  const credentials = createObjectMemory<WeftCredential>('WeftCredential');
  const apps = createObjectMemory<WeftApp>('WeftApp');
  const memories = { WeftWorkflow: workflows, WeftCredential: credentials, WeftApp: apps };
  const namespaces = new Map<string, Namespace>();
  /** By the monotonic clock; undefined: never. */
  let lastSuccessAt: number | undefined;

  const namespaceOf = (namespace: string): Namespace => {
    const known = namespaces.get(namespace);
    if (known !== undefined) return known;
    const made = createNamespace({
      cluster,
      namespace,
      objects,
      connect: deps.connect,
      now: () => performance.now(),
      waiting: (limit) =>
        queue.dueOf(namespace, limit).flatMap(({ id }) => {
          const entry = workflows.get(id);
          const { synced, object } = entry ?? {};
          if (object === undefined || synced?.generation === object.metadata.generation) return [];
          return object.metadata.deletionTimestamp !== undefined || object.spec.suspend ? [] : [object];
        }),
    });
    namespaces.set(namespace, made);
    return made;
  };

  const adder =
    (kind: Kind) =>
    ({ metadata }: KnownObject): void =>
      queue.add({ namespace: metadata.namespace, id: idOf(kind, metadata) });
  const addWorkflow = adder('WeftWorkflow');
  const addCredential = adder('WeftCredential');
  const addApp = adder('WeftApp');
  /** Has workflows that may have waited reconciled: for a credential of their namespace, or for an app of any. */
  const addUnready = (namespace: string | undefined): void => {
    for (const { object, synced } of workflows.all())
      if ((namespace ?? object.metadata.namespace) === object.metadata.namespace && synced === undefined)
        addWorkflow(object);
  };
  /** True while an app may be on its way that a workflow uses. */
  const hasPendingApps = (): boolean => [...apps.all()].some(({ object }) => isPending(object));

  const finish = (kind: Kind, namespace: string, outcome: Outcome<unknown>): Repeat => {
    const { again, result } = outcome;
    metrics.count(kind, result);
    if (result !== 'failed') lastSuccessAt = performance.now();
    if (again.when === 'limited') queue.pause(namespace, again.ms);
    return repeatOf(outcome);
  };

  const work = async ({ namespace, id }: QueueItem): Promise<Repeat> => {
    try {
      const workflow = workflows.get(id);
      if (workflow !== undefined) {
        const { workflowPorts } = namespaceOf(namespace);
        const given = { cluster, publicUrl, startedAt, now: Date.now, hasPendingApps };
        const outcome = await reconcileWorkflow(workflowPorts, given, workflow.object, workflow.synced);
        const current = workflows.get(id);
        if (current?.object.metadata.uid === workflow.object.metadata.uid) current.synced = outcome.synced;
        return finish('WeftWorkflow', namespace, outcome);
      }
      const app = apps.get(id);
      if (app !== undefined) {
        const { appPorts } = namespaceOf(namespace);
        const outcome = await reconcileApp(appPorts, { startedAt, now: Date.now }, app.object);
        if (outcome.result === 'applied') addUnready(undefined);
        return finish('WeftApp', namespace, outcome);
      }
      const credential = credentials.get(id);
      if (credential === undefined) return 'none';
      const { credentialPorts } = namespaceOf(namespace);
      const outcome = await reconcileCredential(credentialPorts, { startedAt, now: Date.now }, credential.object);
      if (outcome.result === 'applied') addUnready(namespace);
      return finish('WeftCredential', namespace, outcome);
    } catch (err) {
      logger.warn({ err, object: id }, 'a reconciliation failed; it is repeated');
      return 'backoff';
    }
  };

  const queue = createWorkQueue({
    concurrency: CONCURRENCY,
    perNamespace: PER_NAMESPACE,
    minBackoffMs: MIN_BACKOFF_MS,
    maxBackoffMs: MAX_BACKOFF_MS,
    work,
    now: () => performance.now(),
  });

  const metrics = createOperatorMetrics({
    queueSize: queue.size,
    lastSuccess: () => (lastSuccessAt === undefined ? 0 : unixTimeOf(lastSuccessAt) / 1_000),
    *conditions(kind): Generator<readonly Condition[] | undefined> {
      for (const { object } of memories[kind].all()) yield object.status?.conditions;
    },
  });

  /** Namespaces with objects; sessions of others are dropped. */
  const usedNamespaces = (): readonly string[] => {
    const used = new Set<string>();
    for (const memory of Object.values(memories))
      for (const { object } of memory.all()) used.add(object.metadata.namespace);
    for (const name of namespaces.keys()) if (!used.has(name)) namespaces.delete(name);
    return [...used];
  };

  const inNamespaces = async (visit: (namespace: string) => Promise<void>): Promise<void> => {
    const left = [...usedNamespaces()];
    const one = async (): Promise<void> => {
      for (let name = left.pop(); name !== undefined; name = left.pop()) await visit(name);
    };
    await Promise.all(Array.from({ length: POLLED_AT_ONCE }, one));
  };

  const addAll = (namespace: string): void => {
    for (const { object } of workflows.all()) if (object.metadata.namespace === namespace) addWorkflow(object);
    for (const { object } of credentials.all()) if (object.metadata.namespace === namespace) addCredential(object);
    for (const { object } of apps.all()) if (object.metadata.namespace === namespace) addApp(object);
  };

  const poll = async (namespace: string): Promise<void> => {
    try {
      await namespaceOf(namespace).session.refresh();
      lastSuccessAt = performance.now();
    } catch (error) {
      const failure = failureOf(error);
      if (!(error instanceof Failed)) throw error;
      if (failure.kind === 'limited') queue.pause(namespace, failure.retryAfterMs);
      // An outage of Weft changes no status of objects that were equal.
      if (failure.kind === 'unavailable' || failure.kind === 'limited') {
        logger.warn({ namespace, message: failure.message }, 'Weft could not be polled');
        return addUnready(namespace);
      }
    }
    addAll(namespace);
  };

  const confirm = async (namespace: string): Promise<void> => {
    try {
      const keys = new Set(await namespaceOf(namespace).session.confirm());
      if (keys.size === 0) return;
      for (const { object } of workflows.all()) if (keys.has(keyOf(cluster, object.metadata))) addWorkflow(object);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === 'limited') queue.pause(namespace, failure.retryAfterMs);
      else logger.debug({ namespace, message: failure.message }, 'versions could not be read; it is repeated');
    }
  };

  const readKeys = async (namespace: string): Promise<void> => {
    if (await namespaceOf(namespace).session.readKeyAgain()) addAll(namespace);
    for (const { object } of credentials.all()) if (object.metadata.namespace === namespace) addCredential(object);
  };

  const loops = [
    startLoop({ name: 'poll-weft', everyMs: deps.resyncMs, tick: () => inNamespaces(poll), logger }),
    startLoop({ name: 'confirm-writes', everyMs: CONFIRM_EVERY_MS, tick: () => inNamespaces(confirm), logger }),
    startLoop({ name: 'read-secrets', everyMs: deps.keyPollMs, tick: () => inNamespaces(readKeys), logger }),
  ];

  const handlers = <Item extends WeftWorkflow | WeftCredential | WeftApp>(
    memory: ReturnType<typeof createObjectMemory<Item>>,
    add: (object: Item) => void,
  ) => ({
    /** @param namespace of the list; undefined: all */
    onList: (found: readonly Item[], namespace: string | undefined): void => {
      memory.retain(found, namespace);
      for (const object of found) {
        memory.set(object);
        add(object);
      }
    },
    onChange: (object: Item): void => {
      if (memory.set(object)) add(object);
    },
    onDelete: ({ metadata }: Item): void => memory.remove(metadata),
  });

  return {
    workflowHandlers: handlers(workflows, addWorkflow),
    credentialHandlers: handlers(credentials, addCredential),
    appHandlers: handlers(apps, addApp),
    isAlive: (): boolean => loops.every((loop) => loop.isAlive()),
    stop: async (): Promise<void> => {
      await Promise.all(loops.map((loop) => loop.stop()));
      await queue.stop();
      metrics.remove();
    },
  };
};
