import type { ListedWorkflow } from '@weft/apply';
import type { ListedApp } from '../domain/decide-app';
import type { ListedCredential } from '../domain/decide-credential';
import type { AdoptedFrom, Write } from '../domain/facts';
import { Failed, failureOf } from '../domain/failures';
import { KEY_SECRET, keyOf, setOf, type Metadata } from '../domain/objects';
import type { SecretValues } from '../kubernetes/objects';
import type { createWeftCalls, WeftCalls } from './weft-calls';

export interface SessionDeps {
  readonly cluster: string;
  readonly namespace: string;
  readonly connect: (apiKey: string) => ReturnType<typeof createWeftCalls>;
  readonly readKey: () => Promise<SecretValues | undefined>;
  readonly now: () => number;
}

/** Calls with the key of a namespace. */
export interface Connected {
  readonly calls: WeftCalls;
  readonly projectId: string;
}

/** The Secret with its key, and the calls made with it. Another Secret, or a refusal, is another object. */
interface KnownKey {
  readonly version: string;
  readonly connected: Promise<Connected>;
}

/** A key that was refused is tried again after this time. */
const REFUSED_MS = 60_000;
/** Writes are confirmed together: by one request for this number, or after a pause without writes. */
const CONFIRMED_AT_ONCE = 100;
const CONFIRM_AFTER_MS = 2_000;
const MAX_SOURCE = 500;

const NO_KEY =
  `The Secret "${KEY_SECRET}" with the members "key" and "project" does not exist in this namespace, ` +
  'or the component gitops-namespace does not let the operator read it.';

/** Knowledge of Weft for one namespace: its key, its project, and the workflows of its set. */
export const createNamespaceSession = ({ cluster, namespace, connect, readKey, now }: SessionDeps) => {
  const set = setOf(cluster, namespace);
  let key: KnownKey | undefined;
  let refusedAt = Number.NEGATIVE_INFINITY;
  /** The Secret was deleted: only deleted objects may still use the key. */
  let isWithdrawn = false;
  let listed: Promise<Map<string, ListedWorkflow>> | undefined;
  let credentials: Promise<ListedCredential[]> | undefined;
  let apps: Promise<readonly ListedApp[]> | undefined;
  const forgotten = new Set<string>();
  const unconfirmed = new Set<string>();
  let lastWriteAt = 0;

  const open = async (secret: SecretValues): Promise<Connected> => {
    const [apiKey, project] = [secret.values.get('key')?.trim(), secret.values.get('project')?.trim()];
    if (!apiKey || !project) throw new Failed({ kind: 'no-key', message: NO_KEY });
    const calls = connect(apiKey);
    return { calls, projectId: await calls.projectOf(project) };
  };

  /** @param isCleanup a key that was deleted with its namespace is still used for objects that are deleted */
  const currentKey = async (isCleanup: boolean): Promise<KnownKey> => {
    if (key !== undefined && (isCleanup || !isWithdrawn)) {
      const known = key;
      try {
        await known.connected;
        return known;
      } catch (error) {
        const { kind } = failureOf(error);
        if (kind === 'no-key' && now() - refusedAt < REFUSED_MS) throw error;
      }
    }
    const secret = await readKey();
    if (secret === undefined) {
      if (key !== undefined && isCleanup) return key;
      throw new Failed({ kind: 'no-key', message: NO_KEY });
    }
    isWithdrawn = false;
    const opened: KnownKey = { version: secret.version, connected: open(secret) };
    key = opened;
    try {
      await opened.connected;
      return opened;
    } catch (error) {
      // An outage or a limit ends: the next call tries again.
      const { kind } = failureOf(error);
      if (key === opened) {
        refusedAt = kind === 'unavailable' || kind === 'limited' ? Number.NEGATIVE_INFINITY : now();
        if (kind !== 'no-key') key = undefined;
      }
      throw error;
    }
  };

  /**
   * Runs a call. After 401 the key counts as refused until its Secret changes, or for a minute; not if the Secret has
   * changed since the call began.
   */
  const using = async <Value>(isCleanup: boolean, work: (given: Connected) => Promise<Value>): Promise<Value> => {
    const used = await currentKey(isCleanup);
    try {
      return await work(await used.connected);
    } catch (error) {
      if (failureOf(error).kind === 'no-key' && key === used) {
        refusedAt = now();
        const refused = Promise.reject<Connected>(error);
        refused.catch(() => undefined);
        key = { version: used.version, connected: refused };
      }
      throw error;
    }
  };

  const isCleanup = ({ deletionTimestamp }: Metadata): boolean => deletionTimestamp !== undefined;

  const workflows = ({ calls, projectId }: Connected): Promise<Map<string, ListedWorkflow>> => {
    listed ??= calls
      .listSet(projectId, set)
      .then((found) => new Map(found.flatMap((one) => (one.key === undefined ? [] : [[one.key, one] as const]))));
    return listed.catch((error: unknown) => {
      listed = undefined;
      throw error;
    });
  };

  const remember = async (given: Connected, id: string, workflow: ListedWorkflow | undefined): Promise<void> => {
    const known = await workflows(given);
    if (workflow === undefined) known.delete(id);
    else known.set(id, workflow);
  };

  const afterWrite = (
    write: Write,
    id: string,
    hash: string | null,
    written: { readonly id: string; readonly active: boolean; readonly etag: string },
  ): ListedWorkflow => {
    const isContent = write.action === 'create' || write.action === 'replace';
    const before = 'workflow' in write ? write.workflow : undefined;
    const known = isContent ? (hash ?? undefined) : before?.hash;
    return {
      id: written.id,
      name: before?.name ?? '',
      active: written.active,
      // Only a list shows the version.
      versionId: '',
      etag: written.etag,
      key: id,
      managed: { by: 'kubernetes', set, appliedVersionId: '' },
      ...(known === undefined ? {} : { hash: known }),
    };
  };

  return {
    find: (metadata: Metadata): Promise<ListedWorkflow | undefined> =>
      using(isCleanup(metadata), async (given) => {
        const id = keyOf(cluster, metadata);
        if (forgotten.has(id)) {
          await remember(given, id, await given.calls.byKey(id));
          forgotten.delete(id);
        }
        return (await workflows(given)).get(id);
      }),

    search: (metadata: Metadata, { key: other, id }: AdoptedFrom): Promise<ListedWorkflow | undefined> =>
      using(false, async (given) => {
        const own = await given.calls.byKey(keyOf(cluster, metadata));
        const byKey = own ?? (other === undefined ? undefined : await given.calls.byKey(other));
        if (byKey !== undefined || id === undefined) return byKey;
        return (await given.calls.byIds([id]))[0];
      }),

    write: (metadata: Metadata, write: Write, hash: string | null): Promise<ListedWorkflow | undefined> =>
      using(isCleanup(metadata), async (given) => {
        const id = keyOf(cluster, metadata);
        const source = `kubernetes ${cluster} ${metadata.namespace}/${metadata.name}`.slice(0, MAX_SOURCE);
        try {
          const written = await given.calls.write(given.projectId, { key: id, set, source }, write);
          const workflow = written && afterWrite(write, id, hash, written);
          await remember(given, id, workflow);
          if (workflow !== undefined) unconfirmed.add(workflow.id);
          lastWriteAt = now();
          return workflow;
        } catch (error) {
          const failure = failureOf(error);
          if (failure.kind !== 'key-taken') throw error;
          // Another operator, or this one before it was killed, has created it; or it is not ours.
          const holder = await given.calls.byKey(id);
          throw holder === undefined ? error : new Failed({ kind: 'outdated', message: failure.message });
        }
      }),

    check: <Result>(work: (given: Connected) => Promise<Result>): Promise<Result> => using(false, work),

    forget: (metadata: Metadata): void => void forgotten.add(keyOf(cluster, metadata)),

    credentials: (isDeleted: boolean): Promise<readonly ListedCredential[]> =>
      using(isDeleted, async ({ calls, projectId }) => {
        credentials ??= calls.listCredentials(projectId).then((found) => [...found]);
        return credentials.catch((error: unknown) => {
          credentials = undefined;
          throw error;
        });
      }),

    /** Runs a write of a credential. The list is read again after it. */
    writeCredential: <Result>(isDeleted: boolean, work: (given: Connected) => Promise<Result>): Promise<Result> =>
      using(isDeleted, async (given) => {
        try {
          return await work(given);
        } finally {
          credentials = undefined;
        }
      }),

    /** All apps of the instance. */
    apps: (isDeleted: boolean): Promise<readonly ListedApp[]> =>
      using(isDeleted, async ({ calls }) => {
        apps ??= calls.listApps();
        return apps.catch((error: unknown) => {
          apps = undefined;
          throw error;
        });
      }),

    /** Runs a write of an app. The list is read again after it. */
    writeApp: <Result>(isDeleted: boolean, work: (given: Connected) => Promise<Result>): Promise<Result> =>
      using(isDeleted, async (given) => {
        try {
          return await work(given);
        } finally {
          apps = undefined;
        }
      }),

    /** Reads the Secret. @returns true if its key is another one */
    readKeyAgain: async (): Promise<boolean> => {
      const secret = await readKey();
      if (secret?.version === key?.version && !isWithdrawn) return false;
      if (secret === undefined) {
        const isNew = !isWithdrawn;
        isWithdrawn = true;
        return isNew;
      }
      isWithdrawn = false;
      key = undefined;
      refusedAt = Number.NEGATIVE_INFINITY;
      listed = undefined;
      credentials = undefined;
      apps = undefined;
      return true;
    },

    /** Lists the set again. @throws Failed if Weft cannot be asked: what was known stays */
    refresh: async (): Promise<void> => {
      const before = listed;
      listed = undefined;
      credentials = undefined;
      apps = undefined;
      try {
        await using(false, workflows);
      } catch (error) {
        listed ??= before;
        throw error;
      }
    },

    /** Reads the versions of workflows after their writes, many at a time. @returns keys of those that were read */
    confirm: async (): Promise<readonly string[]> => {
      const isDue = unconfirmed.size >= CONFIRMED_AT_ONCE || now() - lastWriteAt >= CONFIRM_AFTER_MS;
      if (unconfirmed.size === 0 || !isDue) return [];
      const ids = [...unconfirmed].slice(0, CONFIRMED_AT_ONCE);
      const found = await using(false, async (given) => {
        const read = await given.calls.byIds(ids);
        const known = await workflows(given);
        for (const one of read) {
          const before = one.key === undefined ? undefined : known.get(one.key);
          if (one.key !== undefined && before?.etag === one.etag) known.set(one.key, one);
        }
        return read;
      });
      for (const id of ids) unconfirmed.delete(id);
      return found.flatMap(({ key: one }) => (one === undefined ? [] : [one]));
    },
  };
};

export type NamespaceSession = ReturnType<typeof createNamespaceSession>;
