import { ProcessRoom } from './process-room';
import { ProcessPlaces } from './process-places';

/** The limits of a pool, or of several pools together. */
export interface PoolShare {
  readonly places: ProcessPlaces;
  readonly room: ProcessRoom;
}

/** The size of a share. */
export interface ShareOptions {
  /** Maximum working processes, plus one for owners without a running one. */
  readonly processes: number;
  /** Maximum additional idle processes, assigned to an owner or spare. */
  readonly held: number;
  /** Maximum waiting runs. Default: 1,000. */
  readonly waitingMax?: number;
  /** Called with the time each run waited for its place, in milliseconds. */
  readonly onWaited?: (ms: number) => void;
}

/** Maximum total number of processes of a share. */
const processesOf = ({ processes, held }: Pick<ShareOptions, 'processes' | 'held'>): number => processes + 1 + held;

export const createPoolShare = ({ waitingMax, onWaited, ...size }: ShareOptions): PoolShare => ({
  places: new ProcessPlaces(size.processes, waitingMax, onWaited),
  room: new ProcessRoom(processesOf(size)),
});
