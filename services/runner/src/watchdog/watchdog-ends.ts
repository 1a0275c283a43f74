import type { Logger } from '@weft/service-kit/logging';
import type { BlamedRuns } from '../domain/claims/shares/blamed-runs';
import type { ProcessExit } from '../domain/claims/process-exit';
import { countWatchdogEnds } from '../observing/runner-metrics';
import type { EndedTurn } from './ended-turn';
import type { PassedOn, Predecessor } from './predecessor';
import { PROCESS_NAMES, type ProcessName } from './process-name';

/** Handles the ends of processes by their watchdogs. */
export interface WatchdogEnds {
  /** Records the end of a process. @returns whom to blame in its report to executions */
  readonly ended: (process: ProcessName, turn: EndedTurn) => Pick<ProcessExit, 'blamed'>;
}

/** Dependencies of handling ends. */
export interface WatchdogEndsParts {
  readonly blamed: BlamedRuns;
  readonly logger: Pick<Logger, 'error'>;
  /** The program that this one replaced; absent: none. */
  readonly predecessor?: Predecessor;
  /** Sets what the next program gets. */
  readonly passOn: (value: PassedOn) => void;
}

/** Processes with runs of several owners. */
const SHARED: ReadonlySet<ProcessName> = new Set<ProcessName>(['runner', 'large_data']);

export const createWatchdogEnds = ({ blamed, logger, predecessor, passOn }: WatchdogEndsParts): WatchdogEnds => {
  const ends = new Map<ProcessName, number>();
  const count = (name: ProcessName, added: number): void => {
    ends.set(name, (ends.get(name) ?? 0) + added);
    countWatchdogEnds(name, added);
  };
  const ended: WatchdogEnds['ended'] = (name, { ms, run }) => {
    count(name, 1);
    const where = name === 'runner' ? 'the runner' : `its process (${name})`;
    if (run === undefined)
      logger.error({ process: name, ms }, `several runs may have blocked ${where}, which was ended`);
    else {
      logger.error({ process: name, ms, ...run }, `a run blocked ${where}, which was ended`);
      blamed.add(run, SHARED.has(name));
    }
    passOn({ ends: Object.fromEntries(ends), blamed: blamed.all() });
    return run === undefined ? {} : { blamed: { executionId: run.executionId, node: run.node } };
  };
  for (const [name, earlier] of predecessor === undefined ? [] : entriesOf(predecessor.ends)) count(name, earlier);
  return { ended };
};

const entriesOf = (ends: PassedOn['ends']): readonly (readonly [ProcessName, number])[] =>
  PROCESS_NAMES.flatMap((name) => (ends[name] === undefined ? [] : [[name, ends[name]] as const]));
