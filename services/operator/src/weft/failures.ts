import { WeftError } from '@weft/client';
import type { Failure } from '../domain/failures';

const MAX_FIELDS = 5;
const DEFAULT_PAUSE_MS = 10_000;

const sentence = (field: unknown): string => {
  if (typeof field !== 'object' || field === null || !('field' in field) || !('message' in field)) return '';
  return `${String(field.field)}: ${String(field.message)}`;
};

/** The message of an error, with the first five fields that are wrong. */
const messageOf = ({ message, details }: WeftError): string => {
  const fields = details['fields'];
  return Array.isArray(fields) && fields.length > 0 ? fields.slice(0, MAX_FIELDS).map(sentence).join(' ') : message;
};

const ofConflict = (error: WeftError, message: string): Failure => {
  switch (error.reason) {
    case 'WORKFLOW_KEY_TAKEN':
    case 'APP_KIND_TAKEN':
      return { kind: 'key-taken', message };
    case 'WEBHOOK_PATH_TAKEN':
      return { kind: 'path-taken', message };
    case 'CREDENTIAL_IN_USE':
    case 'APP_IN_USE':
      return { kind: 'in-use', message };
    case 'CREDENTIAL_BUSY':
      return { kind: 'outdated', message };
    case undefined:
    default:
      return { kind: 'refused', message };
  }
};

/** The failure that a response of Weft stands for. */
export const failureOfWeft = (error: unknown): Failure => {
  if (!(error instanceof WeftError))
    return { kind: 'unavailable', message: error instanceof Error ? error.message : String(error) };
  const message = messageOf(error);
  const { status, reason, retryAfterMs } = error;
  switch (status) {
    case 400:
      return reason === 'WORKFLOW_NOT_RUNNABLE' ? { kind: 'not-runnable', message } : { kind: 'refused', message };
    case 401:
      return { kind: 'no-key', message: `Weft refuses the key of the Secret "weft". ${message}` };
    case 403:
      return { kind: 'forbidden', message };
    case 404:
      return { kind: 'not-found', message };
    case 409:
      return ofConflict(error, message);
    case 412:
      return { kind: 'outdated', message };
    case 413:
      return { kind: 'too-large', message };
    case 429:
      return { kind: 'limited', message, retryAfterMs: retryAfterMs ?? DEFAULT_PAUSE_MS };
    default:
      return { kind: 'unavailable', message };
  }
};
