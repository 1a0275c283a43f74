import { APPS, readApp } from '@weft/apps';
import type { KindDescriptor, KindTable } from '@weft/node-catalogue';
import * as all from './all';
import { kindsOfApp } from './kinds-of-app';
import { LazyTable } from './lazy-table';
import { ToolTable } from './tool-table';

type Maker = readonly [kind: string, make: () => KindDescriptor];

const own: readonly Maker[] = Object.values<KindDescriptor>(all).map((descriptor) => [
  descriptor.kind,
  () => descriptor,
]);

const ofApps: readonly Maker[] = APPS.flatMap(({ name, kinds }) =>
  kinds.map((kind): Maker => [kind, () => descriptorOf(name, kind)]),
);

function descriptorOf(app: string, kind: string): KindDescriptor {
  const descriptor = kindsOfApp(readApp(app)).find((one) => one.kind === kind);
  if (descriptor === undefined) throw new Error(`The app ${app} has no kind ${kind}: run \`npm run apps:gen\`.`);
  return descriptor;
}

/**
 * Every node kind, by name: all exports of `all.ts`, which has one line for each kind, and the kinds of the apps, which
 * are read when they are first needed. Their tools are found by name, but not listed.
 */
export const KIND_TABLE: KindTable = new ToolTable(
  new LazyTable(new Map([...own, ...ofApps].sort(([one], [other]) => (one < other ? -1 : 1)))),
);

/** The descriptor of a kind; undefined if it does not exist. Takes kinds, not types: see `kindOf`. */
export function describeKind(kind: string): KindDescriptor | undefined {
  return KIND_TABLE.get(kind);
}
