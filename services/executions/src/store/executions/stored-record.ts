import { toBuffer } from '@weft/service-kit/mongo';
import type { ExecutionRecord, Lease, PendingWait, Segment, StoredResponse } from '../../domain/state/execution';

const withBytes = <Key extends string>(key: Key, value: unknown): { readonly [Name in Key]?: Buffer } => {
  const bytes = toBuffer(value);
  const found: { [Name in Key]?: Buffer } = {};
  if (bytes !== undefined) found[key] = bytes;
  return found;
};

/** Converts a stored segment. */
export const segmentOf = ({ bytes, ...rest }: Segment): Segment => ({ ...rest, ...withBytes('bytes', bytes) });

/** Converts a stored response. */
export const toStoredResponse = (answer: StoredResponse): StoredResponse => ({
  ...answer,
  ...withBytes('body', answer.body),
});

/** Converts a stored wait. */
export const toPendingWait = (wait: PendingWait): PendingWait => ({ ...wait, ...withBytes('settings', wait.settings) });

/** Converts a stored lease, or the part of it that was read. */
export const toLease = <Part extends Pick<Lease, 'progress'>>(lease: Part): Part => ({
  ...lease,
  ...withBytes('progress', lease.progress),
});

/** Converts a document: bytes are Buffers. */
export const toRecord = ({
  engineState,
  input,
  resume,
  resultOrigins,
  response,
  lastResponse,
  manifest,
  wait,
  lease,
  ...rest
}: ExecutionRecord): ExecutionRecord => ({
  ...rest,
  manifest: manifest.map(segmentOf),
  ...withBytes('engineState', engineState),
  ...withBytes('input', input),
  ...withBytes('resume', resume),
  ...withBytes('resultOrigins', resultOrigins),
  ...(wait === undefined ? {} : { wait: toPendingWait(wait) }),
  ...(lease === undefined ? {} : { lease: toLease(lease) }),
  ...(response === undefined ? {} : { response: toStoredResponse(response) }),
  ...(lastResponse === undefined ? {} : { lastResponse: toStoredResponse(lastResponse) }),
});
