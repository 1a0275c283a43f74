import type { KindDescriptor } from '../descriptor';
import * as all from './all';

/** Every node kind there is, by name. What `all.ts` exports is in it: one line there for each file. */
export const KINDS: readonly KindDescriptor[] = [...Object.values<KindDescriptor>(all)].sort((a, b) =>
  a.kind < b.kind ? -1 : 1,
);

const BY_KIND: ReadonlyMap<string, KindDescriptor> = new Map(KINDS.map((descriptor) => [descriptor.kind, descriptor]));

/** The descriptor of a kind, undefined if there is no such kind. Takes kinds, not types: see `kindOf`. */
export function describeKind(kind: string): KindDescriptor | undefined {
  return BY_KIND.get(kind);
}
