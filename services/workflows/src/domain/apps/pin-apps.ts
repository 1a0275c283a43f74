import type { AppDocument } from '@weft/app-model';
import { kindNameOf, listField, textField, toolBaseOf, type PinnedApp } from '@weft/node-catalogue';
import { KIND_TABLE } from '@weft/nodes/descriptors';
import { InvalidRequest } from '@weft/service-kit/errors';
import { createHash } from 'node:crypto';
import type { DefinitionJson } from '../workflows/workflow';
import type { AppStore, StoredApp } from './app';

/** The current revisions of the apps that a definition uses. @throws InvalidRequest if they are too large */
export type PinApps = (definition: DefinitionJson) => Promise<readonly PinnedApp[]>;

/** Finds apps for definitions. */
export interface AppPins {
  readonly pinApps: PinApps;
  /** Changes with every change of an app, after at most two seconds; empty while there are no apps. */
  readonly epoch: () => Promise<string>;
}

/** Maximum bytes of the apps of one workflow: they are part of each of its versions. */
const MAX_BYTES = 2_000_000;

/** Milliseconds for which an epoch is used again: definitions that runs send may come many times a second. */
const EPOCH_MS = 2_000;

/** Kinds of the nodes that only an app can provide, and those whose tools they may be. */
const appKindsOf = (definition: DefinitionJson): readonly string[] => [
  ...new Set(
    listField(definition, 'nodes').flatMap((node) => {
      const kind = kindNameOf(textField(node, 'type') ?? '');
      if (kind === undefined || KIND_TABLE.has(kind)) return [];
      const base = toolBaseOf(kind);
      return base === undefined || KIND_TABLE.has(base) ? [kind] : [kind, base];
    }),
  ),
];

/** The app with some of its kinds. Lists of options have no part in runs. */
const reduced = (json: string, kinds: readonly string[]): string => {
  const { lists: _lists, ...app }: AppDocument = JSON.parse(json);
  return JSON.stringify({
    ...app,
    kinds: Object.fromEntries(Object.entries(app.kinds).filter(([kind]) => kinds.includes(kind))),
  });
};

const pinned = ({ name, digest, kinds: all, json }: StoredApp, used: readonly string[]): PinnedApp => {
  const kinds = all.filter((kind) => used.includes(kind));
  return { name, digest, kinds, json: reduced(json, kinds) };
};

/** @param clock in milliseconds */
export const createAppPins = (
  apps: Pick<AppStore, 'list' | 'find' | 'findByKinds'>,
  clock: () => number = () => performance.now(),
): AppPins => {
  let epoch: { readonly until: number; readonly value: Promise<string> } | undefined;
  const readEpoch = async (): Promise<string> => {
    const all = await apps.list();
    if (all.length === 0) return '';
    const hash = createHash('sha256');
    for (const { name, digest } of all) hash.update(`${name} ${digest}\n`);
    return hash.digest('hex');
  };
  return {
    pinApps: async (definition) => {
      const kinds = appKindsOf(definition);
      if (kinds.length === 0) return [];
      const using = await apps.findByKinds(kinds);
      if (using.length === 0) return [];
      if (using.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_BYTES)
        throw new InvalidRequest('The workflow cannot be stored.', [
          { field: 'nodes', message: `Its apps have more than ${MAX_BYTES / 1_000_000} MB. Split the workflow.` },
        ]);
      const found = await apps.find(using.map(({ name }) => name));
      return found
        .map((app) => pinned(app, kinds))
        .filter((app) => app.kinds.length > 0)
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    epoch: () => {
      const now = clock();
      if (epoch === undefined || epoch.until <= now) {
        const value = readEpoch();
        epoch = { until: now + EPOCH_MS, value };
        value.catch(() => (epoch = undefined));
      }
      return epoch.value;
    },
  };
};

/** True if both are the same revisions with the same kinds. */
export const isSamePins = (one: readonly PinnedApp[], other: readonly PinnedApp[]): boolean =>
  keyOfPins(one) === keyOfPins(other);

/** Text that identifies revisions and their kinds; empty for none. */
export const keyOfPins = (apps: readonly PinnedApp[]): string =>
  apps.map(({ digest, kinds }) => [digest, ...kinds].join(' ')).join('\n');
