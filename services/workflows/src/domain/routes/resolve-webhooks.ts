import { candidateKeys, pathParams } from '@weft/node-catalogue';
import { WEBHOOK_METHODS } from '@weft/nodes/descriptors';
import type { DerivedVersions } from '../versions/derived-versions';
import type { Hook, HookStore } from '../hooks/hook';
import { hookId } from '../hooks/hook-routes';
import type { Listener, WorkflowStore } from '../ports';
import { ROUTE_LEASE_MS } from './route-releases';
import type { IngressSettings, VersionFacts } from '../versions/version-facts';
import type { RouteEntry } from '../workflows/workflow';

/** Address of a webhook request. */
export interface WebhookAddress {
  /** Upper case. */
  readonly method: string;
  /** Below `/webhook/`, decoded. */
  readonly path: string;
}

/** The node at an address, or the methods that other nodes accept at its path. */
export type ResolvedWebhook =
  | {
      readonly found: true;
      readonly workflowId: string;
      readonly versionId: string;
      readonly ownerId: string;
      readonly node: string;
      readonly pathParams: Readonly<Record<string, string>>;
      readonly settings?: IngressSettings;
      /** Milliseconds for which the result may be reused; 0: not at all. */
      readonly leaseMs: number;
      /** The last release of the workflow's routes; empty: none that gateways may not have seen. */
      readonly release: string;
    }
  | { readonly found: false; readonly otherMethods: readonly string[] };

/**
 * Finds the listeners of addresses, one entry each, in order. Reads the store each time, so that an activation takes
 * effect immediately.
 */
export type ResolveWebhooks = (addresses: readonly WebhookAddress[]) => Promise<ResolvedWebhook[]>;

/** Longer paths have no listener. */
const MAX_PATH_LENGTH = 2_000;
const MAX_METHOD_LENGTH = 20;

interface Match {
  readonly listener: Listener;
  readonly route: RouteEntry;
}

const keysOf = ({ method, path }: WebhookAddress): string[] =>
  path.length > MAX_PATH_LENGTH || method.length > MAX_METHOD_LENGTH ? [] : candidateKeys(method, path);

const matchKeys = async (
  store: Pick<WorkflowStore, 'findListeners'>,
  keys: readonly string[],
): Promise<Map<string, Match>> => {
  const listeners = keys.length === 0 ? [] : await store.findListeners([...new Set(keys)]);
  return new Map(
    listeners.flatMap((listener) => listener.routes.map((route): [string, Match] => [route.key, { listener, route }])),
  );
};

const best = (keys: readonly string[], matches: ReadonlyMap<string, Match>): Match | undefined => {
  const key = keys.find((candidate) => matches.has(candidate));
  return key === undefined ? undefined : matches.get(key);
};

const otherMethodsOf = async (
  store: Pick<WorkflowStore, 'findListeners'>,
  paths: readonly string[],
): Promise<Map<string, string[]>> => {
  const keysByMethod = paths.map((path) =>
    WEBHOOK_METHODS.map((method) => ({ method, keys: keysOf({ method, path }) })),
  );
  const matches = await matchKeys(
    store,
    keysByMethod.flatMap((methods) => methods.flatMap(({ keys }) => keys)),
  );
  return new Map(
    paths.map((path, index) => [
      path,
      (keysByMethod[index] ?? []).filter(({ keys }) => best(keys, matches) !== undefined).map(({ method }) => method),
    ]),
  );
};

/** The id of the hook that a service calls at a match; undefined for other webhooks. */
const hookIdOf = ({ listener, route }: Match, settings: IngressSettings | undefined): string | undefined => {
  if (settings?.$case !== 'webhook' || settings.value.hook === undefined) return undefined;
  return hookId(listener.workflowId, { path: route.path, credentialId: settings.value.callers?.credentialId ?? '' });
};

/** The settings with the secret of the hook. */
const withHook = (settings: IngressSettings | undefined, hook: Hook | undefined): IngressSettings | undefined => {
  if (settings?.$case !== 'webhook' || settings.value.hook === undefined || hook === undefined) return settings;
  const rules = { ...settings.value.hook, hookId: hook.id, sealedSecret: hook.sealedSecret };
  return { ...settings, value: { ...settings.value, hook: rules } };
};

/** True if the secret of a hook stays the same as long as its route. */
const isSettled = (hook: Hook | undefined): boolean =>
  hook?.registration !== undefined && hook.removeUntil === undefined;

/**
 * Resolves any number of addresses with at most three queries: listeners, the hooks of triggers, and the methods of
 * paths without a listener.
 */
export const createResolveWebhooks = (
  store: Pick<WorkflowStore, 'findListeners'>,
  facts: DerivedVersions<VersionFacts>,
  hooks: Pick<HookStore, 'find'>,
): ResolveWebhooks =>
  async function resolveWebhooks(addresses) {
    const keys = addresses.map(keysOf);
    const matches = await matchKeys(store, keys.flat());
    const found = keys.map((candidates) => best(candidates, matches));
    const versions = await facts(found.flatMap((match) => (match === undefined ? [] : [match.listener.versionId])));
    const settingsOf = ({ listener, route }: Match): IngressSettings | undefined =>
      versions.get(listener.versionId)?.ingressSettings.get(route.node);
    const hookIds = found.flatMap((match) => (match === undefined ? [] : (hookIdOf(match, settingsOf(match)) ?? [])));
    const hookById = new Map((await hooks.find([...new Set(hookIds)])).map((hook) => [hook.id, hook]));
    const missed = addresses.filter((_, index) => found[index] === undefined).map(({ path }) => path);
    const others =
      missed.length === 0 ? new Map<string, string[]>() : await otherMethodsOf(store, [...new Set(missed)]);
    return addresses.map(({ path }, index) => {
      const match = found[index];
      if (match === undefined) return { found: false, otherMethods: others.get(path) ?? [] };
      const {
        listener: { workflowId, versionId, ownerId, routesRelease = '' },
        route,
      } = match;
      const params = pathParams(route.path, path);
      const id = hookIdOf(match, settingsOf(match));
      const hook = id === undefined ? undefined : hookById.get(id);
      const settings = withHook(settingsOf(match), hook);
      const mayBeReused = Object.keys(params).length === 0 && (id === undefined || isSettled(hook));
      return {
        found: true,
        workflowId,
        versionId,
        ownerId,
        node: route.node,
        pathParams: params,
        // Another workflow can take requests from a path with parameters by activating a more specific one, without a
        // release.
        leaseMs: mayBeReused ? ROUTE_LEASE_MS : 0,
        release: routesRelease,
        ...(settings === undefined ? {} : { settings }),
      };
    });
  };
