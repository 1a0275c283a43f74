import type { AwaitAnswer, Awaited, WaitOptions } from './await-answer';
import { ExecutionNotFound, ResumeTokenUnknown } from './errors';
import { waitsFor, type FindByToken, type TokenHolder } from './find-wait';
import type { ReadExecution } from './ports';
import { hashOfToken } from './resume-token';
import { hookKey, type Hook } from './start-request';
import type { FindByKey } from './start-execution';

/** Whose execution is polled: that of a token, or that of a call of a webhook. */
export type Trail = { readonly token: string } | Hook;

/** Where an execution stands. */
export interface Followed extends Awaited {
  readonly executionId: string;
  /** Set if it waits for the token now. */
  readonly waiting?: TokenHolder;
}

/**
 * Tells where an execution stands, once it has an answer, has ended or waits, or the time is over.
 * @throws ResumeTokenUnknown, ExecutionNotFound, TooManyWaiting
 */
export type PollExecution = (trail: Trail, options: Omit<WaitOptions, 'goal'>) => Promise<Followed>;

/** What following needs. */
export interface FollowPorts {
  readonly findByToken: FindByToken;
  readonly findByKey: FindByKey;
  readonly read: ReadExecution;
  readonly awaitAnswer: AwaitAnswer;
}

const followToken = async (
  token: string,
  options: WaitOptions,
  { findByToken, awaitAnswer }: FollowPorts,
): Promise<Followed> => {
  const tokenHash = hashOfToken(token);
  const holder = await findByToken(tokenHash);
  if (holder === undefined) throw new ResumeTokenUnknown();
  if (waitsFor(holder, tokenHash)) return { executionId: holder._id, waiting: holder };
  const polled = await awaitAnswer(options, () =>
    Promise.resolve({ executionId: holder._id, existing: true, responseSeq: holder.responseSeq ?? 0 }),
  );
  const later = polled.ended === undefined ? await findByToken(tokenHash) : undefined;
  return later !== undefined && waitsFor(later, tokenHash) ? { ...polled, waiting: later } : polled;
};

const followHook = async (
  hook: Hook,
  options: WaitOptions,
  { findByKey, read, awaitAnswer }: FollowPorts,
): Promise<Followed> => {
  const found = await findByKey(hookKey(hook));
  const record = found === undefined ? undefined : await read(found.executionId);
  if (record === undefined) throw new ExecutionNotFound('');
  return awaitAnswer(options, () =>
    Promise.resolve({ executionId: record._id, existing: true, responseSeq: record.responseSeq ?? 0 }),
  );
};

/** Follows executions for callers who have no other sight of them. */
export const createFollowExecution =
  (ports: FollowPorts): PollExecution =>
  (trail, rest) => {
    const options: WaitOptions = { ...rest, goal: 'response' };
    return 'token' in trail ? followToken(trail.token, options, ports) : followHook(trail, options, ports);
  };
