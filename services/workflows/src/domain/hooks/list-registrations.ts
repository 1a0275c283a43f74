import { isManualHook } from '@weft/nodes/descriptors';
import type { VersionStore } from '../ports';
import type { Workflow } from '../workflows/workflow';
import type { Hook, HookContent, HookStore } from './hook';
import { fingerprintOf } from './hook-routes';
import { readWantedHooks } from './keep-hooks';

/** Whether the service of an app knows the address of a trigger; `manual`: a user enters it there. */
export type RegistrationState = 'registered' | 'waiting' | 'failed' | 'manual';

/** The registration of a trigger of an active workflow. */
export interface TriggerRegistration {
  /** Name of the node. */
  readonly node: string;
  /** The address that the service calls. */
  readonly url: string;
  readonly state: RegistrationState;
  /** Message of the last failure; empty: the last request succeeded. */
  readonly message: string;
  /** Consecutive failures. */
  readonly failures: number;
  /** Time of the next attempt or check; undefined: there is none yet. */
  readonly nextAt: Date | undefined;
}

/** The registrations of the triggers of an active workflow, in the order of its nodes; none for an inactive one. */
export type ListRegistrations = (
  workflow: Pick<Workflow, 'id' | 'activation'>,
) => Promise<readonly TriggerRegistration[]>;

/** Dependencies of listing registrations. */
export interface ListRegistrationsDeps {
  readonly store: Pick<HookStore, 'find'>;
  readonly versions: Pick<VersionStore, 'find'>;
  /** Scheme and host of addresses of webhooks, without a trailing slash. */
  readonly base: string;
}

const stateOf = (content: HookContent, hook: Hook | undefined, url: string, base: string): RegistrationState => {
  if (isManualHook(content.kind)) return 'manual';
  if (hook === undefined || hook.removeUntil !== undefined) return 'waiting';
  if (hook.failures > 0) return 'failed';
  const isCurrent = hook.base === base && hook.registration?.fingerprint === fingerprintOf(content, url);
  return isCurrent ? 'registered' : 'waiting';
};

export const createListRegistrations = ({ store, versions, base }: ListRegistrationsDeps): ListRegistrations =>
  async function listRegistrations(workflow) {
    const wanted = await readWantedHooks(versions, workflow);
    const stored = new Map((await store.find([...wanted.keys()])).map((hook) => [hook.id, hook]));
    return [...wanted].map(([id, content]) => {
      const hook = stored.get(id);
      const url = `${base}/webhook/${content.path}`;
      const state = stateOf(content, hook, url, base);
      const isFailed = state === 'failed';
      return {
        node: content.node,
        url,
        state,
        message: isFailed ? (hook?.message ?? '') : '',
        failures: isFailed ? (hook?.failures ?? 0) : 0,
        nextAt: state === 'manual' || hook?.removeUntil !== undefined ? undefined : hook?.nextAt,
      };
    });
  };
