import { Socket } from 'node:net';
import { endWithParent } from '../seal/kernel';
import { takeShortTurns } from '../seal/short-turns';
import { isForkMessage, type FromForkServer, type ToForkServer } from './fork-messages';
import {
  closeDescriptor,
  createSocketPair,
  forkProcess,
  includeHeapInForks,
  keepOnly,
  parentId,
  takeEndedChild,
} from './kernel-calls';

// Held before the names of this realm are removed.
const self = process;
const serverId = self.pid;
const { abort } = self;

/**
 * Makes this process one that copies itself whenever the process that started it asks, over Node's own channel. A copy
 * has all that was loaded here, and no descriptor but its channel as standard input and output. Nothing of a user's may
 * ever run here. Ends with the process that started it.
 * @param run the program of a child, which only blocks: no event loop, no thread and no promise of this realm goes on
 * there
 */
export const serveForks = (run: () => void): void => {
  const children = new Map<number, number>();

  const failure = failureOf(() => {
    takeShortTurns();
    includeHeapInForks();
  });

  const send = (message: FromForkServer, channel?: Socket): void => void self.send?.(message, channel);

  const begin = (id: number): void => {
    const [ours, theirs] = createSocketPair();
    try {
      const pid = forkProcess();
      if (pid === 0) return beChild(theirs, run);
      children.set(pid, id);
      // Not read here: what the child writes is for the other side alone.
      send({ kind: 'forked', id, pid }, new Socket({ fd: ours, readable: false }));
    } catch (error) {
      closeDescriptor(ours);
      throw error;
    } finally {
      closeDescriptor(theirs);
    }
  };

  self.on('SIGCHLD', () => {
    for (let ended = takeEndedChild(); ended !== undefined; ended = takeEndedChild()) {
      const id = children.get(ended.pid);
      children.delete(ended.pid);
      if (id !== undefined) send({ kind: 'ended', id, signal: ended.signal });
    }
  });
  self.on('message', (message) => {
    if (!isForkMessage<ToForkServer>(message)) return;
    const { kind, id } = message;
    if (kind === 'kill') {
      // One that was not waited for yet still has its number.
      for (const [pid, other] of children) if (other === id) self.kill(pid, 'SIGKILL');
      return;
    }
    if (failure !== undefined) return send({ kind: 'unsealed', id, reason: failure.message });
    try {
      begin(id);
    } catch (error) {
      send({ kind: 'failed', id, reason: errorOf(error).message });
    }
  });
  self.once('disconnect', () => self.exit());
};

const errorOf = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

const failureOf = (work: () => void): Error | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return errorOf(error);
  }
};

/** Does not return. */
const beChild = (channel: number, run: () => void): void => {
  try {
    keepOnly(channel);
    endWithParent();
    // It may have ended before this process asked to be told.
    if (parentId() === serverId) run();
  } finally {
    // It would otherwise go on as a second server. A sealed process cannot end in the usual way.
    abort();
  }
};
