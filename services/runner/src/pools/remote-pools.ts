import type { Duplex } from 'node:stream';
import { InFlightMap } from '@weft/service-kit/in-flight';
import { bytesOf, type CodeStop, type JobInput } from '@weft/sandbox';
import type { RunnerPools } from './open-pools';
import {
  MAX_HEAD_BYTES,
  MAX_INPUT_BYTES,
  readFromPools,
  SMALL_BYTES,
  type FromPools,
  type PoolName,
  type ToPools,
} from './pool-messages';
import { openPoolPipe } from './pool-pipe';

/** Maximum bytes of a character of code as JSON. */
const BYTES_OF_CHARACTER = 6;

interface Outcome {
  readonly stopped?: CodeStop;
  readonly console: readonly string[];
  readonly bytes: Uint8Array;
}

interface Pending {
  readonly input: Uint8Array;
  readonly settle: (outcome: Outcome) => void;
}

const stopped = (reason: CodeStop): Outcome => ({ stopped: reason, console: [], bytes: new Uint8Array() });

/** Longer than a child process takes to release its runs once its runner has stopped. */
const GONE_MS = 30_000;

/**
 * Result of a run whose pools have closed. Usually the runner has stopped, and the run will be released rather than
 * fail its node: it ends as aborted then.
 */
const endWithoutPools = (signal: AbortSignal, ms: number): Promise<Outcome> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(stopped('aborted'));
    const timer = setTimeout(() => resolve(stopped('closed')), ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve(stopped('aborted'));
      },
      { once: true },
    );
  });

/**
 * The pools of the runner, for one of its child processes.
 * @param socket its end of the pipe to the runner. Once that is closed, runs end as `aborted` when they are, and as
 * `closed` after `goneMs`
 */
export const createRemotePools = (socket: Duplex, goneMs = GONE_MS): RunnerPools => {
  const pending = new InFlightMap<number, Pending>();
  let lastId = 0;

  const settle = (id: number, outcome: Outcome): void => {
    pending.get(id)?.settle(outcome);
    pending.delete(id);
  };
  const onMessage = (message: FromPools, bytes: Uint8Array): void => {
    const { id } = message;
    if (message.kind === 'answer') return settle(id, { ...message, bytes });
    const one = pending.get(id);
    if (one !== undefined) send({ kind: 'input', id }, one.input);
  };
  const send = openPoolPipe<FromPools, ToPools>(socket, readFromPools, onMessage);
  socket.once('close', () => {
    for (const id of [...pending.keys()]) settle(id, stopped('closed'));
  });

  const run = async (
    pool: PoolName,
    owner: string,
    work: string,
    given: JobInput,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    const input = await bytesOf(given);
    if (input === undefined || signal.aborted) return stopped('aborted');
    if (input.length > MAX_INPUT_BYTES || work.length * BYTES_OF_CHARACTER > MAX_HEAD_BYTES) return stopped('input');
    if (socket.destroyed) return endWithoutPools(signal, goneMs);
    const isHere = input.length <= SMALL_BYTES;
    lastId += 1;
    const id = lastId;
    const abort = (): void => send({ kind: 'abort', id });
    signal.addEventListener('abort', abort, { once: true });
    try {
      const outcome = await new Promise<Outcome>((resolve) => {
        pending.set(id, { input, settle: resolve });
        send({ kind: 'ask', id, pool, owner, work, isHere }, isHere ? input : undefined);
      });
      return outcome.stopped === 'closed' ? await endWithoutPools(signal, goneMs) : outcome;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  };
  return {
    code: {
      of: (owner) => ({
        run: async ({ code, language, input, signal }) => {
          const pool = language === 'python' ? 'python' : 'code';
          const { stopped: reason, console, bytes } = await run(pool, owner, code, input, signal);
          return reason === undefined
            ? { kind: 'result', report: bytes, console }
            : { kind: 'stopped', reason, console };
        },
      }),
    },
    formats: {
      of: (owner) => ({
        run: async ({ kind, input, signal }) => {
          const { stopped: reason, bytes } = await run('formats', owner, kind, input, signal);
          return reason === undefined ? { kind: 'result', result: bytes } : { kind: 'stopped', reason };
        },
      }),
    },
  };
};
