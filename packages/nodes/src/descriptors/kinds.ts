import type { KindDescriptor, KindTable } from '@weft/node-catalogue';
import { APP_KINDS } from '@weft/apps/kinds';
import * as all from './all';

/** Every node kind, by name: all exports of `all.ts`, which has one line for each kind, and the kinds of the apps. */
export const KINDS: readonly KindDescriptor[] = [...Object.values<KindDescriptor>(all), ...APP_KINDS].sort((a, b) =>
  a.kind < b.kind ? -1 : 1,
);

export const KIND_TABLE: KindTable = new Map(KINDS.map((descriptor) => [descriptor.kind, descriptor]));

/** The descriptor of a kind; undefined if it does not exist. Takes kinds, not types: see `kindOf`. */
export function describeKind(kind: string): KindDescriptor | undefined {
  return KIND_TABLE.get(kind);
}
