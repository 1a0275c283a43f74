import { ServiceError } from '@weft/service-kit/errors';
import { createCounter } from '@weft/service-kit/metrics';

const KINDS = ['api_key', 'basic', 'session', 'webhook'] as const;

/** Kind of credentials of a caller. */
export type AuthKind = (typeof KINDS)[number];

const authentications = createCounter({
  name: 'weft_auth_total',
  help: 'Authentications, by what proved the caller, and whether it was accepted.',
  labels: { kind: KINDS, outcome: ['accepted', 'refused'] },
});

const isRefusal = (error: unknown): boolean => error instanceof ServiceError && error.kind === 'unauthenticated';

/**
 * Counts authentications. An attempt that failed for lack of the store counts as neither accepted nor refused.
 * @param kindOf returns the kind of credentials from the arguments
 * @param isAccepted whether a result is an acceptance, undefined if that is not decided yet; absent: every result is,
 * and refusals are thrown
 */
export const countAuth =
  <Args extends readonly unknown[], Result>(
    check: (...args: Args) => Promise<Result>,
    kindOf: (...args: Args) => AuthKind,
    isAccepted: (result: Result) => boolean | undefined = () => true,
  ): ((...args: Args) => Promise<Result>) =>
  async (...args) => {
    const kind = kindOf(...args);
    try {
      const result = await check(...args);
      const accepted = isAccepted(result);
      if (accepted !== undefined) authentications.inc({ kind, outcome: accepted ? 'accepted' : 'refused' });
      return result;
    } catch (error) {
      if (isRefusal(error)) authentications.inc({ kind, outcome: 'refused' });
      throw error;
    }
  };
