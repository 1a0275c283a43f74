import type { EndedExecution, ExecutionRecord } from '../state/execution';

/** Fields of an execution that are checked before it is deleted for good. */
export type Expired = Pick<ExecutionRecord, '_id' | 'parent' | 'postRunActions' | 'expireAt'>;

/** Finds at most `most` executions whose retention is over, the oldest date first. @throws Unavailable */
export type FindExpired = (now: Date, most: number) => Promise<readonly Expired[]>;

/**
 * Of first callers, those for whom something still runs: they themselves, or an execution that goes back to them.
 * @throws Unavailable
 */
export type FindLiveFamilies = (rootIds: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Deletes executions and all that belongs to them: first their data, then their documents. Safe to repeat.
 * @throws Unavailable
 */
export type RemoveExecutions = (executionIds: readonly string[]) => Promise<void>;

/** True if something that has to happen after the end of an execution has not happened yet. */
export const hasPendingActions = ({ postRunActions }: Pick<EndedExecution, 'postRunActions'>): boolean =>
  postRunActions.some(({ due }) => due !== undefined);

/** The first execution of the chain of calls that led to this one. Executions of one chain share files. */
export const rootOf = ({ _id, parent }: Pick<ExecutionRecord, '_id' | 'parent'>): string => parent?.rootId ?? _id;

/**
 * Reviews at most `most` rows of run data whose date has come, the oldest first: those whose execution exists lose the
 * date, the others are deleted. Nothing else is read.
 * @returns how many there were.
 */
export type ReviewRows = (now: Date, most: number) => Promise<number>;
