import { ProcessRoom } from './process-room';
import { ProcessTurns } from './process-turns';

/** The bounds of a pool, or of several pools together. */
export interface PoolShare {
  readonly turns: ProcessTurns;
  readonly room: ProcessRoom;
}

/** The size of a share. */
export interface ShareOptions {
  /** Processes that work at the same time, besides one for owners who have none under way. */
  readonly processes: number;
  /** Processes that are held for their owners, or ready for the next one, besides. */
  readonly held: number;
  /** Runs that wait for a process; 1,000 if absent. */
  readonly waitingMax?: number;
  /** Told how long each run has waited for its turn, in milliseconds. */
  readonly onWaited?: (ms: number) => void;
}

/** Processes that a share of this size has at most. */
const processesOf = ({ processes, held }: Pick<ShareOptions, 'processes' | 'held'>): number => processes + 1 + held;

/** Makes a share. */
export const createPoolShare = ({ waitingMax, onWaited, ...size }: ShareOptions): PoolShare => ({
  turns: new ProcessTurns(size.processes, waitingMax, onWaited),
  room: new ProcessRoom(processesOf(size)),
});
