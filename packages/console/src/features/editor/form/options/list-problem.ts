import { WeftError } from '@weft/client';
import { isRecord } from '../../../../ui/values/json';
import { errorText } from '../../../../ui/values/format';

/** Why a list cannot be shown, and what the user can do about it. */
export interface ListProblem {
  readonly text: string;
  /** `credential`: look at the credential of the node; `retry`: ask again; `none`: the text says what to do. */
  readonly next: 'credential' | 'retry' | 'none';
}

/** The first refused field of a request: its name and the message. */
const refusedField = ({ details }: WeftError): { readonly field: string; readonly message: string } | undefined => {
  const fields = details['fields'];
  const first: unknown = Array.isArray(fields) ? fields[0] : undefined;
  if (!isRecord(first)) return undefined;
  const { field, message } = first;
  return typeof field === 'string' && typeof message === 'string' ? { field, message } : undefined;
};

const secondsOf = ({ retryAfterMs }: WeftError): number => Math.max(1, Math.ceil((retryAfterMs ?? 60_000) / 1_000));

/** Says why a list was refused. If a choice is missing (`Choose a document first.`), a retry is not offered. */
export const listProblemOf = (error: unknown): ListProblem => {
  if (!(error instanceof WeftError)) return { text: errorText(error), next: 'retry' };
  const { status, reason, message } = error;
  if (reason === 'CREDENTIAL_NOT_GRANTED')
    return { text: `You may not use the credential of this node. ${message}`, next: 'none' };
  if (reason?.startsWith('CREDENTIAL_') === true || reason === 'TOKEN_REFRESH_FAILED')
    return { text: message, next: 'credential' };
  if (status === 404) return { text: `${message} Choose another credential.`, next: 'none' };
  if (status === 429)
    return { text: `Too many lists were requested. Try again in ${secondsOf(error)} s.`, next: 'retry' };
  if (status === 0 || status >= 500)
    return { text: 'The list could not be loaded: the server did not answer in time.', next: 'retry' };
  const refused = refusedField(error);
  if (refused === undefined) return { text: message, next: 'retry' };
  if (/^Choose /.test(refused.message)) return { text: refused.message, next: 'none' };
  return { text: refused.message, next: refused.field === 'cursor' ? 'retry' : 'credential' };
};
