import { Socket } from 'node:net';
import { endWithParent } from '../seal/kernel';
import { takeShortSlices } from '../seal/short-slices';
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

// Captured before the global names of this realm are removed.
const self = process;
const serverId = self.pid;
const { abort } = self;

/**
 * Makes this process a fork server, which copies itself whenever its parent asks over the Node IPC channel. A copy has
 * everything that was loaded here, and only its channel as standard input and output. User code must never run here.
 * The server ends with its parent.
 * @param run the program of a child, which must be synchronous: no event loop, threads or promises of this realm work
 * there
 */
export const serveForks = (run: () => void): void => {
  const children = new Map<number, number>();

  const failure = failureOf(() => {
    takeShortSlices();
    includeHeapInForks();
  });

  const send = (message: FromForkServer, channel?: Socket): void => void self.send?.(message, channel);

  const begin = (id: number): void => {
    const [ours, theirs] = createSocketPair();
    try {
      const pid = forkProcess();
      if (pid === 0) return beChild(theirs, run);
      children.set(pid, id);
      // Not read here: the child's output is only for the other side.
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
      // A process that has not been waited for still has its number.
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
    // The parent may have ended before this process asked for its death signal.
    if (parentId() === serverId) run();
  } finally {
    // Otherwise it would continue as a second server. A sealed process cannot exit normally.
    abort();
  }
};
