import type { EndedExecution, ExecutionRecord } from '../state/execution';

/** Fields of an execution that are checked before it is deleted permanently. */
export type Expired = Pick<
  ExecutionRecord,
  '_id' | 'parent' | 'postRunActions' | 'expireAt' | 'deletedAt' | 'finishedAt'
>;

/** Finds at most `most` executions whose retention has ended, the oldest date first. @throws Unavailable */
export type FindExpired = (now: Date, most: number) => Promise<readonly Expired[]>;

/**
 * The given root executions that have not ended, or have descendants that have not.
 * @throws Unavailable
 */
export type FindLiveFamilies = (rootIds: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Deletes executions with their data: first the data, then the documents. Safe to repeat.
 * @throws Unavailable
 */
export type RemoveExecutions = (executionIds: readonly string[]) => Promise<void>;

/** True if a completion hook is still pending. */
export const hasPendingHooks = ({ postRunActions }: Pick<EndedExecution, 'postRunActions'>): boolean =>
  postRunActions.some(({ due }) => due !== undefined);

/** The root of the call chain of an execution. Executions with the same root share files. */
export const rootOf = ({ _id, parent }: Pick<ExecutionRecord, '_id' | 'parent'>): string => parent?.rootId ?? _id;

/**
 * Reviews at most `most` due rows of run data, the oldest first: clears the date of those whose execution exists, and
 * deletes the others. Reads nothing else.
 * @returns how many there were.
 */
export type ReviewRows = (now: Date, most: number) => Promise<number>;
