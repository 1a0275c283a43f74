import type { Subject } from '../stacks/subject';
import { latencyFigures, rateFigure, withCpu, type PreparedLoad } from './load';
import { sendRequests, type Requests } from './send-requests';

/**
 * A load of requests that are all answered before a measurement ends. How many fill its time is taken from the last
 * warm-up or measurement.
 * @param settle waits for the work of requests that a warm-up gave up
 */
export const requestLoad = (
  { facts: { processes } }: Subject,
  requests: Requests,
  settle: () => Promise<void> = () => Promise.resolve(),
): PreparedLoad => {
  let perSecond = requests.connections;
  return {
    warmUp: async (seconds) => {
      const answers = await sendRequests(requests, { seconds });
      await settle();
      if (answers.count > 0) perSecond = answers.perSecond;
    },
    measure: async (seconds) => {
      const amount = Math.max(requests.connections, Math.round(perSecond * seconds));
      const { result, cpu } = await withCpu(processes, () => sendRequests(requests, { amount }));
      perSecond = result.perSecond;
      const { count, failed } = result;
      return { count, failed, figures: [rateFigure(result.perSecond), ...latencyFigures(result)], cpu };
    },
  };
};
