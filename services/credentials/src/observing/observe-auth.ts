import { ServiceError } from '@weft/service-kit/errors';
import { createCounter } from '@weft/service-kit/metrics';

const KINDS = ['api_key', 'basic', 'session', 'webhook'] as const;

/** What proves who calls. */
export type AuthKind = (typeof KINDS)[number];

const authentications = createCounter({
  name: 'weft_auth_total',
  help: 'Authentications, by what proved the caller, and whether it was accepted.',
  labels: { kind: KINDS, outcome: ['accepted', 'refused'] },
});

const isRefusal = (error: unknown): boolean => error instanceof ServiceError && error.kind === 'unauthenticated';

/**
 * Counts authentications. One that could not be judged, because the store is away, is neither.
 * @param kindOf what the arguments prove the caller by
 * @param isAccepted whether a result is an acceptance, or undefined if that is not decided yet; absent: every result
 *   is, and refusals are thrown
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
