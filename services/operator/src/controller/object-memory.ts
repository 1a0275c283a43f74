import type { Synced } from '../domain/facts';
import { ADOPT, type Condition, type Kind, type Metadata } from '../domain/objects';

/** An object without its definition. */
export interface KnownObject {
  readonly metadata: Metadata;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface Entry<Item> {
  object: Item;
  synced: Synced | undefined;
}

/** Id of an object in the queue. */
export const idOf = (kind: Kind, { namespace, name }: Pick<Metadata, 'namespace' | 'name'>): string =>
  `${kind}/${namespace}/${name}`;

/** Parts that a reconciliation depends on. A change of the status alone, which the operator writes, needs none. */
const relevantParts = ({ uid, generation, deletionTimestamp, annotations }: Metadata): string =>
  [uid, generation, deletionTimestamp, annotations?.[ADOPT]].join();

/** Objects of one kind as the API server last showed them, and what their last reconciliation found. */
export const createObjectMemory = <Item extends KnownObject>(kind: Kind) => {
  const entries = new Map<string, Entry<Item>>();
  return {
    get: (id: string): Entry<Item> | undefined => entries.get(id),
    all: (): IterableIterator<Entry<Item>> => entries.values(),
    /** @returns true if the object must be reconciled */
    set: (object: Item): boolean => {
      const id = idOf(kind, object.metadata);
      const before = entries.get(id);
      const isSame = before !== undefined && relevantParts(before.object.metadata) === relevantParts(object.metadata);
      const isReplaced = before?.object.metadata.uid !== object.metadata.uid;
      entries.set(id, { object, synced: isReplaced ? undefined : before.synced });
      return !isSame;
    },
    remove: (metadata: Metadata): void => void entries.delete(idOf(kind, metadata)),
    /** Removes objects that a list of a namespace, or of all, does not have. */
    retain: (objects: readonly Item[], namespace: string | undefined): void => {
      const ids = new Set(objects.map(({ metadata }) => idOf(kind, metadata)));
      for (const [id, { object }] of entries)
        if (!ids.has(id) && (namespace ?? object.metadata.namespace) === object.metadata.namespace) entries.delete(id);
    },
  };
};

export type ObjectMemory<Item extends KnownObject> = ReturnType<typeof createObjectMemory<Item>>;
