import { useState } from 'react';
import { newId } from '../ui/values/new-id';
import { weft } from './client';

/** The version of a resource that was read last, for If-Match. */
export const readTag = async (path: string): Promise<string | undefined> =>
  (await weft.request('GET', path)).headers.get('etag') ?? undefined;

/** The version of a resource when the component appeared: a dialog changes only what its user has seen. */
export const useTag = (path: string): Promise<string | undefined> => {
  const [tag] = useState(() => readTag(path));
  return tag;
};

/** Headers with which a change applies only to the version that was read. */
export const ifMatch = (tag: string | undefined): Readonly<Record<string, string>> =>
  tag === undefined ? {} : { 'if-match': tag };

/** A header with which a repeated creation creates nothing twice. */
export const onceOnly = (): Readonly<Record<string, string>> => ({ 'idempotency-key': newId() });
