import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { InFlightMap } from '@weft/service-kit/in-flight';
import type { CodeStop } from '@weft/sandbox';
import type { RunnerPools } from './open-pools';
import { readToPools, type FromPools, type ToPools } from './pool-messages';
import { openPoolPipe } from './pool-pipe';

/** Maximum runs of one child process in pools or waiting for them, and bytes held by waiting ones. */
const MAX_ASKED = 128;
const MAX_HELD_BYTES = 16 * 1024 * 1024;
/** Time in which a child process must read responses and send an input while its run occupies a process. */
const INPUT_MS = 10_000;

type Ask = Extract<ToPools, { readonly kind: 'ask' }>;

/** A run requested by a child process. */
interface Asked {
  readonly abort: AbortController;
  /** Bytes that it holds while it waits. */
  readonly heldBytes: number;
  /** Takes the fetched input. */
  take: ((input: Uint8Array | undefined) => void) | undefined;
}

/** The outcome of a run in either pool. */
interface Outcome {
  readonly stopped?: CodeStop;
  readonly console: readonly string[];
  readonly bytes?: Uint8Array;
}

const runIn = async (
  pools: RunnerPools,
  { pool, owner, work }: Ask,
  input: () => Promise<Uint8Array | undefined>,
  signal: AbortSignal,
): Promise<Outcome> => {
  if (pool !== 'formats') {
    const language = pool === 'python' ? 'python' : 'javaScript';
    const answer = await pools.code.of(owner).run({ code: work, language, input, signal });
    if (answer.kind === 'stopped') return { stopped: answer.reason, console: answer.console };
    return { bytes: answer.report, console: answer.console };
  }
  const answer = await pools.formats.of(owner).run({ kind: work, input, signal });
  return answer.kind === 'stopped' ? { stopped: answer.reason, console: [] } : { bytes: answer.result, console: [] };
};

/**
 * Lets a child process use the pools of this one over a pipe. Its requests wait in the same queue as all others; when
 * the child dies, they end, and their processes are freed. A child that sends anything but messages is disconnected.
 */
export const servePools = (pools: RunnerPools, socket: Duplex): void => {
  const asked = new InFlightMap<number, Asked>();
  let heldBytes = 0;

  /** Waits until the child process has read earlier messages: unread responses must not pile up. */
  const whenRead = async (signal: AbortSignal): Promise<boolean> => {
    try {
      if (socket.writableNeedDrain) await once(socket, 'drain', { signal });
      return !signal.aborted;
    } catch {
      return false;
    }
  };

  const inputOf = async (ask: Ask, one: Asked, bytes: Uint8Array): Promise<Uint8Array | undefined> => {
    const signal = AbortSignal.any([one.abort.signal, AbortSignal.timeout(INPUT_MS)]);
    if (!(await whenRead(signal))) return undefined;
    if (ask.isHere) return bytes;
    return new Promise((resolve) => {
      const end = (): void => one.take?.(undefined);
      one.take = (input) => {
        one.take = undefined;
        signal.removeEventListener('abort', end);
        resolve(input);
      };
      signal.addEventListener('abort', end, { once: true });
      send({ kind: 'fetch', id: ask.id });
    });
  };

  const begin = async (ask: Ask, bytes: Uint8Array): Promise<void> => {
    const { id } = ask;
    const size = bytes.length + ask.work.length;
    if (asked.has(id)) throw new Error('This run was already requested.');
    if (asked.size >= MAX_ASKED || heldBytes + size > MAX_HELD_BYTES)
      return send({ kind: 'answer', id, stopped: 'busy', console: [] });
    const one: Asked = { abort: new AbortController(), heldBytes: size, take: undefined };
    asked.set(id, one);
    heldBytes += size;
    const { bytes: result, ...outcome } = await runIn(pools, ask, () => inputOf(ask, one, bytes), one.abort.signal);
    asked.delete(id);
    heldBytes -= size;
    send({ kind: 'answer', id, ...outcome }, result);
  };

  const close = (): void => {
    for (const { abort } of asked.values()) abort.abort();
  };
  const onMessage = (message: ToPools, bytes: Uint8Array): void => {
    switch (message.kind) {
      case 'ask':
        begin(message, bytes).catch((error: Error) => socket.destroy(error));
        return;
      case 'input':
        return asked.get(message.id)?.take?.(bytes);
      case 'abort':
        return asked.get(message.id)?.abort.abort();
    }
  };
  const send = openPoolPipe<ToPools, FromPools>(socket, readToPools, onMessage);
  socket.once('close', close);
};
