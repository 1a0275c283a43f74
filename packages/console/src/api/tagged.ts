import { newId } from '../ui/new-id';
import { weft } from './client';

/** The version of a resource that was read last, for If-Match. */
export const readTag = async (path: string): Promise<string | undefined> =>
  (await weft.request('GET', path)).headers.get('etag') ?? undefined;

/** Headers with which a change applies only to the version that was read. */
export const ifMatch = (tag: string | undefined): Readonly<Record<string, string>> =>
  tag === undefined ? {} : { 'if-match': tag };

/** A header with which a repeated creation creates nothing twice. */
export const onceOnly = (): Readonly<Record<string, string>> => ({ 'idempotency-key': newId() });
