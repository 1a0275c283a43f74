import type { KindDescriptor, KindTable } from '@weft/node-catalogue';
import * as all from './all';

/** Every node kind there is, by name. What `all.ts` exports is in it: one line there for each kind. */
export const KINDS: readonly KindDescriptor[] = [...Object.values<KindDescriptor>(all)].sort((a, b) =>
  a.kind < b.kind ? -1 : 1,
);

/** The same, for who looks kinds up by their name. */
export const KIND_TABLE: KindTable = new Map(KINDS.map((descriptor) => [descriptor.kind, descriptor]));

/** The descriptor of a kind, undefined if there is no such kind. Takes kinds, not types: see `kindOf`. */
export function describeKind(kind: string): KindDescriptor | undefined {
  return KIND_TABLE.get(kind);
}
