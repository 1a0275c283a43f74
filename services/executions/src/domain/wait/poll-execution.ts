import type { AwaitResponse, AwaitedOutcome, WaitOptions } from './await-response';
import { ExecutionNotFound, ResumeTokenUnknown } from '../state/errors';
import { waitsFor, type FindByToken, type TokenHolder, hashOfToken } from './find-wait';
import type { ReadExecution } from '../state/ports';
import { hookKey, type Hook } from '../start/start-request';
import type { FindByKey } from '../start/start-execution';

/** The execution to poll: that of a token, or of a webhook call. */
export type PollTarget = { readonly token: string } | Hook;

/** Status of an execution. */
export interface Polled extends AwaitedOutcome {
  readonly executionId: string;
  /** Set if it waits for the token now. */
  readonly waiting?: TokenHolder;
}

/**
 * Returns the status of an execution once it has a response, has ended or waits, or the time is over.
 * @throws ResumeTokenUnknown, ExecutionNotFound, TooManyWaiting
 */
export type PollExecution = (trail: PollTarget, options: Omit<WaitOptions, 'goal'>) => Promise<Polled>;

/** Ports of polling. */
export interface PollPorts {
  readonly findByToken: FindByToken;
  readonly findByKey: FindByKey;
  readonly read: ReadExecution;
  readonly awaitResponse: AwaitResponse;
}

const pollByToken = async (
  token: string,
  options: WaitOptions,
  { findByToken, awaitResponse }: PollPorts,
): Promise<Polled> => {
  const tokenHash = hashOfToken(token);
  const holder = await findByToken(tokenHash);
  if (holder === undefined) throw new ResumeTokenUnknown();
  if (waitsFor(holder, tokenHash)) return { executionId: holder._id, waiting: holder };
  const polled = await awaitResponse(options, () =>
    Promise.resolve({ executionId: holder._id, existing: true, responseSeq: holder.responseSeq ?? 0 }),
  );
  const later = polled.ended === undefined ? await findByToken(tokenHash) : undefined;
  return later !== undefined && waitsFor(later, tokenHash) ? { ...polled, waiting: later } : polled;
};

const pollByHook = async (
  hook: Hook,
  options: WaitOptions,
  { findByKey, read, awaitResponse }: PollPorts,
): Promise<Polled> => {
  const found = await findByKey(hookKey(hook));
  const record = found === undefined ? undefined : await read(found.executionId);
  if (record === undefined) throw new ExecutionNotFound('');
  return awaitResponse(options, () =>
    Promise.resolve({ executionId: record._id, existing: true, responseSeq: record.responseSeq ?? 0 }),
  );
};

/** Polls executions for callers who have no other access to them. */
export const createPollExecution =
  (ports: PollPorts): PollExecution =>
  (trail, rest) => {
    const options: WaitOptions = { ...rest, goal: 'response' };
    return 'token' in trail ? pollByToken(trail.token, options, ports) : pollByHook(trail, options, ports);
  };
