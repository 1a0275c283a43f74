import { setTimeout as sleep } from 'node:timers/promises';
import type { Sink } from '../environment/sink';
import type { StoreReader } from '../watch/store';
import type { FaultTools } from './apply-fault';
import type { AppliedFault } from './fault-log';

const killIfThere = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile, with its runner
  }
};

/**
 * Implements a run that kills its runner: whenever such a run calls the sink, the runner that holds it is killed before
 * the call is answered.
 * @param afterMs milliseconds from the call to the kill: in that time the runner claims what came back with the run
 */
export const killPoisoned =
  (
    { environment, sampler, log, keeper }: FaultTools,
    store: StoreReader,
    onBegun: (applied: AppliedFault) => void,
    afterMs: number,
  ): Sink['onPoison'] =>
  async (executionId, callerPort) => {
    await sleep(afterMs);
    const [row] = await store.byIds([executionId]);
    const calling = environment.callingProcess(callerPort);
    if (calling === undefined) return;
    const { runnerId } = calling;
    // a run in quarantine was claimed by the runner and handed over
    const claimedBy = row?.lease?.runnerId ?? runnerId;
    const runner = environment.processOf({ service: 'runner', index: calling.index });
    await sampler.look();
    const applied = log.begin({
      category: 'poisoned run',
      fault: 'poison',
      startedAt: Date.now(),
      runnerIds: [...new Set([runnerId, claimedBy])],
      affected: sampler.heldBy(runnerId).filter((id) => id !== executionId),
    });
    onBegun(applied);
    // the process that executes it: the runner itself, or one that it has for isolated or quarantined runs
    if (calling.pid === runner.pid) await keeper.kill(runner, 0);
    else killIfThere(calling.pid);
    applied.endedAt = Date.now();
  };
