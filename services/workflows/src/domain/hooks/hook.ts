import type { TriggerHook } from '@weft/nodes/descriptors';

/** A registration that the service has confirmed. */
export interface Registration {
  /** Of everything that was registered. */
  readonly fingerprint: string;
  /** Changes with the credential. */
  readonly credentialRevision: string;
  /** JSON for later requests; empty for none. */
  readonly keptJson: string;
}

/** Content of a hook, which is registered. */
export type HookContent = Omit<TriggerHook, 'parameters'> & {
  /** JSON object. */
  readonly parametersJson: string;
};

/** The webhook of a trigger that a service is told about, or was told about. */
export interface Hook extends HookContent {
  /** Of the workflow, the path and the credential. */
  readonly id: string;
  readonly workflowId: string;
  readonly ownerId: string;
  /** Sealed by the credentials service; stays the same as long as the hook exists. */
  readonly sealedSecret: string;
  /** Set once the service may know the hook. */
  readonly isAttempted: boolean;
  /** Scheme and host of the address that was registered; empty: none yet. */
  readonly base: string;
  readonly registration?: Registration;
  /** Set while it is being removed: when this is given up. */
  readonly removeUntil?: Date;
  /** Time of the next check or attempt. */
  readonly nextAt: Date;
  /** Consecutive failures. */
  readonly failures: number;
  /** Message of the last failure; empty: it succeeded. */
  readonly message: string;
  /** The request that is under way, or was when its process died. */
  readonly lease?: HookLease;
  /** Incremented and compared by every change. */
  readonly revision: number;
}

/** A request that is under way. */
export interface HookLease {
  readonly id: string;
  readonly until: Date;
}

/** Fields that a finished request sets; undefined removes an optional one. */
export type HookChange = Partial<Omit<Hook, 'id' | 'lease' | 'revision' | 'registration' | 'removeUntil'>> & {
  readonly registration?: Registration | undefined;
  readonly removeUntil?: Date | undefined;
};

/** Hooks that are to be checked soon. */
export type HookSelection =
  | { readonly workflowId: string; readonly exceptIds?: readonly string[] }
  | { readonly ownerId: string }
  | { readonly credentialId: string };

/** The due hooks that a process may work on. */
export interface DueHooks {
  /** Kinds of a later release belong to its replicas. */
  readonly kinds: readonly string[];
  /** Owners with as many requests under way as they may have. */
  readonly exceptOwnerIds?: readonly string[];
}

/** Store of hooks. Every method throws Unavailable if the database cannot be reached. */
export interface HookStore {
  readonly find: (ids: readonly string[]) => Promise<Hook[]>;
  /** False if it exists already. */
  readonly insert: (hook: Hook) => Promise<boolean>;
  /** Begins a request: only if the hook is unchanged and no other request is under way at `now`. */
  readonly take: (seen: Hook, lease: HookLease, now: Date, change?: HookChange) => Promise<boolean>;
  /** Ends a request that still has its lease. A check that was asked for meanwhile keeps its time. */
  readonly finish: (taken: Hook, lease: HookLease, change: HookChange) => Promise<void>;
  /** Removes a hook whose request still has its lease. */
  readonly remove: (id: string, lease: HookLease) => Promise<void>;
  /** Hooks whose time has come, without those with a request under way; at most `limit`, the first ones first. */
  readonly due: (now: Date, limit: number, wanted: DueHooks) => Promise<Hook[]>;
  /** Time of the first one before `until`. */
  readonly nextDue: (until: Date, wanted: DueHooks) => Promise<Date | undefined>;
  /** Hooks of a key, at most `limit`. */
  readonly ofKey: (exclusiveKey: string, limit: number) => Promise<Hook[]>;
  /** Makes hooks due. */
  readonly recheck: (selection: HookSelection, now: Date) => Promise<void>;
  /** Makes hooks due that are registered with another base of addresses. */
  readonly recheckMoved: (base: string, now: Date) => Promise<void>;
}

/** Result of a request about a hook, by the credentials service. */
export interface CalledHook {
  readonly sealedSecret: string;
  readonly credentialRevision: string;
  readonly outcome:
    | { readonly kind: 'answered'; readonly isValid: boolean; readonly keptJson: string }
    | { readonly kind: 'refused'; readonly message: string; readonly isCertain: boolean };
}

/** A request about a hook. @throws ServiceError if it cannot be made */
export type CallHook = (
  action: 'prepare' | 'register' | 'check' | 'remove',
  hook: Pick<
    Hook,
    | 'id'
    | 'workflowId'
    | 'ownerId'
    | 'kind'
    | 'version'
    | 'parametersJson'
    | 'credentialType'
    | 'credentialId'
    | 'sealedSecret'
  > & {
    readonly url: string;
    readonly keptJson: string;
  },
) => Promise<CalledHook>;
