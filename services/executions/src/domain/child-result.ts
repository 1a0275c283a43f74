import type { ChunkStore } from './chunks';
import type { ExecutionRecord } from './execution';
import { readRecord, storedRuns } from './run-records';

/** What a parent gets of a child that has ended. */
export interface ChildResult {
  /** JSON array: the items of the first output of the child's last node; empty if it failed. */
  readonly itemsJson: Buffer;
  /** Why it failed; absent if it did not. */
  readonly error?: string;
}

const EMPTY_LIST = Buffer.from('[]');

interface Outputs {
  readonly data?: { readonly main?: readonly (readonly unknown[] | null)[] };
}

const firstOutput = (record: Buffer): Buffer => {
  const parsed: Outputs = JSON.parse(record.toString('utf8'));
  return Buffer.from(JSON.stringify(parsed.data?.main?.[0] ?? []));
};

const failed = (error: string): ChildResult => ({ itemsJson: EMPTY_LIST, error });

/** The result of a child that has ended, or is gone. A result above `maxBytes` is a failure that says so. */
export const childResult = async (child: ExecutionRecord | undefined, chunks: ChunkStore, maxBytes: number): Promise<ChildResult> => {
  if (child === undefined) return failed('The execution of the sub-workflow was deleted.');
  if (child.state !== 'success') return failed(child.error?.message ?? 'The sub-workflow did not succeed.');
  const last = storedRuns(child, chunks).filter(({ node }) => node === child.lastNode).at(-1);
  if (last === undefined) return { itemsJson: EMPTY_LIST };
  const itemsJson = firstOutput(await readRecord(last));
  return itemsJson.length > maxBytes ? failed(`The result of the sub-workflow has more than ${Math.floor(maxBytes / 1024 / 1024)} MB.`) : { itemsJson };
};
