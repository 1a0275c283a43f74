import { ServiceError, toServiceError } from '@weft/service-kit/errors';
import type { CalledHook, CallHook, Hook, HookChange, HookContent, HookLease, HookStore } from './hook';
import { fingerprintOf } from './hook-routes';

/** Time after which another process may take a request over: above its time limit of 12 s. */
const LEASE_MS = 15_000;
const CHECK_MS = 3_600_000;
const FIRST_RETRY_MS = 30_000;
const MAX_RETRY_MS = 3_600_000;
/** Time for which the removal of a hook is attempted. */
const REMOVE_MS = 24 * 3_600_000;

/** Outcome of making a hook as it should be. */
export type HookOutcome =
  | { readonly kind: 'done' }
  /** Another request is under way, or the hook has changed. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly message: string; readonly error: ServiceError | undefined };

/** A request that was made, for metrics. */
export type NoteRequest = (action: 'register' | 'check' | 'remove', outcome: 'answered' | 'refused' | 'failed') => void;

/** Dependencies of the requests about hooks. */
export interface HookRequestDeps {
  readonly store: HookStore;
  readonly callHook: CallHook;
  /** Scheme and host of addresses of webhooks, without a trailing slash. */
  readonly base: string;
  /** Unix milliseconds by the clock of the store. */
  readonly clock: () => number;
  readonly newId: () => string;
  /** From 0 to 1; spreads checks and retries. */
  readonly random: () => number;
  readonly noteRequest: NoteRequest;
}

/** Requests about hooks, each under a lease. */
export interface HookRequests {
  /**
   * Registers a hook unless the service knows it as it should be.
   * @param checks also asks the service about a hook that is registered
   */
  readonly ensure: (seen: Hook, wanted: HookContent, checks: boolean) => Promise<HookOutcome>;
  /** Removes a hook, from the service too if it may know it. @param isHeldByOther nothing is left to remove there */
  readonly remove: (seen: Hook, isHeldByOther: boolean) => Promise<HookOutcome>;
}

/** A request that certainly had no effect, as far as is known. */
const isCertain = ({ outcome }: CalledHook): boolean => outcome.kind === 'refused' && outcome.isCertain;

export const createHookRequests = (deps: HookRequestDeps): HookRequests => {
  const { store, callHook, base, clock, newId, random, noteRequest } = deps;
  const inMs = (ms: number): Date => new Date(clock() + ms);
  const retryAt = (failures: number): Date =>
    inMs(Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10)) * (0.75 + random() / 2));
  const newLease = (): HookLease => ({ id: newId(), until: inMs(LEASE_MS) });
  const urlOf = ({ path }: HookContent): string => `${base}/webhook/${path}`;

  const ask = async (
    action: 'register' | 'check' | 'remove',
    hook: Hook,
    content: HookContent,
  ): Promise<CalledHook | ServiceError> => {
    const keptJson = hook.registration?.keptJson ?? '';
    try {
      const called = await callHook(action, { ...hook, ...content, url: urlOf(content), keptJson });
      noteRequest(action, called.outcome.kind);
      return called;
    } catch (thrown) {
      noteRequest(action, 'failed');
      return toServiceError(thrown);
    }
  };
  const failed = async (
    hook: Hook,
    lease: HookLease,
    result: CalledHook | ServiceError,
    change: HookChange = {},
  ): Promise<HookOutcome> => {
    const failures = hook.failures + 1;
    const message =
      result instanceof ServiceError ? result.message : result.outcome.kind === 'refused' ? result.outcome.message : '';
    await store.finish(hook, lease, { ...change, failures, message, nextAt: retryAt(failures) });
    return { kind: 'failed', message, error: result instanceof ServiceError ? result : undefined };
  };
  const done = async (hook: Hook, lease: HookLease, change: HookChange): Promise<HookOutcome> => {
    const nextAt = inMs(CHECK_MS * (0.9 + random() / 5));
    const { ownerId } = hook;
    await store.finish(hook, lease, { ...change, ownerId, failures: 0, message: '', nextAt, removeUntil: undefined });
    return { kind: 'done' };
  };

  const isCurrent = ({ registration, base: registeredBase }: Hook, fingerprint: string): boolean =>
    registration?.fingerprint === fingerprint && registeredBase === base;

  const register = async (hook: Hook, lease: HookLease, content: HookContent): Promise<HookOutcome> => {
    const wasAttempted = hook.isAttempted && hook.removeUntil === undefined;
    const result = await ask('register', hook, content);
    if (result instanceof ServiceError || result.outcome.kind === 'refused') {
      const hadNoEffect = !(result instanceof ServiceError) && isCertain(result);
      return failed(hook, lease, result, {
        ...content,
        ...(hadNoEffect && !wasAttempted ? { isAttempted: false } : {}),
        ...(hadNoEffect || hook.registration === undefined
          ? {}
          : { registration: { ...hook.registration, fingerprint: '' } }),
      });
    }
    const { sealedSecret, credentialRevision, outcome } = result;
    const fingerprint = fingerprintOf(content, urlOf(content));
    const registration = { fingerprint, credentialRevision, keptJson: outcome.keptJson };
    return done(hook, lease, { ...content, sealedSecret, base, registration });
  };

  const checkOrRegister = async (hook: Hook, lease: HookLease, content: HookContent): Promise<HookOutcome> => {
    const result = await ask('check', hook, content);
    if (result instanceof ServiceError || result.outcome.kind === 'refused') return failed(hook, lease, result);
    const { sealedSecret, credentialRevision, outcome } = result;
    if (!outcome.isValid || credentialRevision !== hook.registration?.credentialRevision)
      return register({ ...hook, sealedSecret }, lease, content);
    return done(hook, lease, { ...content, sealedSecret });
  };

  const take = async (seen: Hook, change: HookChange): Promise<HookLease | undefined> => {
    const lease = newLease();
    return (await store.take(seen, lease, new Date(clock()), change)) ? lease : undefined;
  };

  return {
    ensure: async (seen, wanted, checks) => {
      const isSame = seen.removeUntil === undefined && isCurrent(seen, fingerprintOf(wanted, urlOf(wanted)));
      const lease = await take(seen, { isAttempted: true });
      if (lease === undefined) return { kind: 'busy' };
      if (!isSame) return register(seen, lease, wanted);
      return checks ? checkOrRegister(seen, lease, wanted) : done(seen, lease, { ...wanted });
    },
    remove: async (seen, isHeldByOther) => {
      const removeUntil = seen.removeUntil ?? inMs(REMOVE_MS);
      const lease = await take(seen, { removeUntil });
      if (lease === undefined) return { kind: 'busy' };
      if (seen.isAttempted && !isHeldByOther) {
        const result = await ask('remove', seen, seen);
        const isRemoved = !(result instanceof ServiceError) && result.outcome.kind === 'answered';
        if (!isRemoved && removeUntil.getTime() > clock()) return failed(seen, lease, result);
      }
      await store.remove(seen.id, lease);
      return { kind: 'done' };
    },
  };
};
