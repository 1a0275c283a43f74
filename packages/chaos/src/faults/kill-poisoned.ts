import type { Sink } from '../ground/sink';
import type { StoreReader } from '../watch/store';
import type { FaultTools } from './apply-fault';
import type { AppliedFault } from './fault-log';

/**
 * Plays a run that kills its runner: whenever such a run calls the sink, the runner that holds it is killed before it
 * is answered.
 */
export const killPoisoned =
  (
    { ground, sampler, log, keeper }: FaultTools,
    store: StoreReader,
    onBegun: (applied: AppliedFault) => void,
  ): Sink['onPoison'] =>
  async (executionId) => {
    const [row] = await store.byIds([executionId]);
    const runnerId = row?.lease?.runnerId;
    const index =
      runnerId === undefined
        ? undefined
        : ground.stack.of('runner').find((each) => ground.runnerIdsOf(each.index).includes(runnerId))?.index;
    if (index === undefined || runnerId === undefined) return;
    await sampler.look();
    const applied = log.begin({
      category: 'poisoned run',
      fault: 'poison',
      startedAt: Date.now(),
      runnerIds: [runnerId],
      affected: sampler.heldBy(runnerId).filter((id) => id !== executionId),
    });
    onBegun(applied);
    // the process that executes it: the runner itself, or the one that it has for runs that begin alone
    if (ground.runnerIdsOf(index)[0] === runnerId) await keeper.kill({ service: 'runner', index }, 0);
    else ground.killIsolated(index);
    applied.endedAt = Date.now();
  };
