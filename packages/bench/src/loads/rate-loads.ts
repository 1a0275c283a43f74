import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../statistics';
import { latencyFigures, rateFigure, withCpu, type Load } from './load';
import type { Answers, Requests } from './send-requests';
import { webhookRequests } from './webhook-loads';
import { webhookWorkflow } from './webhook-workflow';

/** Runs per second: a third of the capacity of two cores, with one or more of each process. */
const PER_SECOND = 1_000;
/** Runs per second for each replica: a stack with four runners is still below the capacity of two cores. */
const PER_REPLICA = 250;
const CONNECTIONS = 50;
/** Interval at which due requests are sent. */
const TICK_MS = 1;

/** @returns whether it was answered with 2xx */
const sendOnce = (agent: Agent, { url, method, headers, body }: Requests): Promise<boolean> =>
  new Promise((resolve) => {
    const sent = request(url, { agent, method, headers: { ...headers } }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve((answer.statusCode ?? 0) < 300));
      answer.once('error', () => resolve(false));
    });
    sent.once('error', () => resolve(false));
    sent.end(body);
  });

/** Sends requests at a rate, whatever the answers are like. */
const sendAtRate = async (requests: Requests, perSecond: number, seconds: number): Promise<Answers> => {
  const agent = new Agent({ keepAlive: true, maxSockets: requests.connections });
  const times: number[] = [];
  const underWay: Promise<void>[] = [];
  const most = Math.round(perSecond * seconds);
  let failed = 0;
  const began = performance.now();
  const one = async (): Promise<void> => {
    const sentAt = performance.now();
    if (await sendOnce(agent, requests)) times.push(performance.now() - sentAt);
    else failed += 1;
  };
  while (underWay.length < most) {
    const due = Math.min(most, Math.ceil(((performance.now() - began) * perSecond) / 1000));
    while (underWay.length < due) underWay.push(one());
    await sleep(TICK_MS);
  }
  await Promise.all(underWay);
  const elapsedMs = performance.now() - began;
  agent.destroy();
  const [p50Ms, p99Ms] = [percentile(times, 0.5), percentile(times, 0.99)];
  return { count: most, perSecond: most / (elapsedMs / 1000), p50Ms, p99Ms, failed };
};

const loadAtRate = (name: string, rate: string, perSecondOf: (replicas: number) => number): Load => ({
  name,
  title: `webhook -> set, answered by the last node, ${rate}`,
  per: 'run',
  prepare: async (subject) => {
    const workflowId = await subject.api.create(webhookWorkflow(name, 'lastNode'));
    const requests = webhookRequests(subject, name, CONNECTIONS);
    const perSecond = perSecondOf(Math.max(1, ...Object.values(subject.replicas)));
    return {
      warmUp: async (seconds) => {
        await sendAtRate(requests, perSecond, seconds);
        await subject.api.untilDone(workflowId);
      },
      measure: async (seconds) => {
        const work = (): Promise<Answers> => sendAtRate(requests, perSecond, seconds);
        const { result, cpu } = await withCpu(subject.facts.processes, work);
        const figures = [rateFigure(result.perSecond), ...latencyFigures(result)];
        return { count: result.count, failed: result.failed, figures, cpu };
      },
    };
  },
});

/** Loads below the capacity of the machine. */
export const RATE_LOADS: readonly Load[] = [
  loadAtRate('steady', `${PER_SECOND} in a second`, () => PER_SECOND),
  loadAtRate('growing', `${PER_REPLICA} in a second for each replica`, (replicas) => PER_REPLICA * replicas),
];
