import type { ExecutionQueueNames } from '@weft/proto/execution-queue';
import type { Followers } from '../domain/event-log/followers';
import type { Broker } from './broker';
import { createIdsChannel, createSendIds, type IdsChannel } from './ids-channel';

/** Hints about the executions that are followed at this replica. Without followers, it sends and receives nothing. */
export interface FollowedChannel {
  /** Announces an execution to runners immediately. */
  readonly announce: (executionId: string) => void;
  /** Names the followers that receive hints. */
  readonly connect: (followers: Pick<Followers, 'ids' | 'hint'>) => void;
  /** To be called every second: announces the followed executions again. */
  readonly tick: () => void;
  readonly stop: () => void;
}

/** Runners answer these announcements with the ids of executions whose progress they stored. */
export const createFollowedChannel = (
  broker: Broker,
  { followedSubject, progressedSubject }: Pick<ExecutionQueueNames, 'followedSubject' | 'progressedSubject'>,
): FollowedChannel => {
  const send = createSendIds(broker, followedSubject);
  let followers: Pick<Followers, 'ids' | 'hint'> = { ids: () => [], hint: () => undefined };
  let progressed: IdsChannel | undefined;
  const listen = (): void => {
    progressed ??= createIdsChannel(broker, progressedSubject, (ids) => followers.hint(ids));
    progressed.listen();
  };
  const stop = (): void => {
    progressed?.stop();
    progressed = undefined;
  };
  return {
    announce: (executionId) => {
      listen();
      send(executionId);
    },
    connect: (given) => {
      followers = given;
    },
    tick: () => {
      const ids = followers.ids();
      if (ids.length === 0) return stop();
      listen();
      ids.forEach(send);
    },
    stop,
  };
};
