import { createHash } from 'node:crypto';
import { ServiceError } from './service-error';

/** Condition of a change: the current etag must be one of these. Undefined: no condition. */
export type EtagCondition = { readonly etags: readonly string[] } | undefined;

/** The object was changed since the caller read it. */
export class ChangedSinceRead extends ServiceError {
  constructor(what: string, details: Readonly<Record<string, string>>) {
    super({
      reason: 'VERSION_CONFLICT',
      kind: 'precondition',
      message: `The ${what} was changed since you read it. Read it again and repeat your change.`,
      details,
    });
  }
}

/** An entity tag (RFC 9110, 8.8.3) without its quotes, made from everything of an object that can change. */
export const etagOfParts = (...parts: readonly (string | number | boolean)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);

/** True if there is no condition, or it holds for the etag. */
export const holdsFor = (condition: EtagCondition, etag: string): boolean =>
  condition === undefined || condition.etags.length === 0 || condition.etags.includes(etag);

/** True if a change has a condition, which its write must check as well. */
export const isConditional = (condition: EtagCondition): boolean => (condition?.etags.length ?? 0) > 0;
