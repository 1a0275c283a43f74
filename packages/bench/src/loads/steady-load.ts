import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../statistics';
import { latencyFigures, rateFigure, withCpu, type Load } from './load';
import type { Answers, Requests } from './send-requests';
import { webhookRequests } from './webhook-loads';
import { webhookWorkflow } from './webhook-workflow';

/** Runs in a second for each replica: a stack with four runners is still below what two cores carry. */
const PER_REPLICA = 250;
const CONNECTIONS = 50;
/** How often it is looked what is due. */
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
const sendSteadily = async (requests: Requests, perSecond: number, seconds: number): Promise<Answers> => {
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

/** A load that grows with the replicas, as the load of more replicas does. */
export const STEADY_LOAD: Load = {
  name: 'steady',
  title: `webhook -> set, answered by the last node, ${PER_REPLICA} in a second for each replica`,
  per: 'run',
  prepare: async (subject) => {
    const workflowId = await subject.api.create(webhookWorkflow('steady', 'lastNode'));
    const requests = webhookRequests(subject, 'steady', CONNECTIONS);
    const perSecond = PER_REPLICA * Math.max(1, ...Object.values(subject.replicas));
    return {
      warmUp: async (seconds) => {
        await sendSteadily(requests, perSecond, seconds);
        await subject.api.untilDone(workflowId);
      },
      measure: async (seconds) => {
        const work = (): Promise<Answers> => sendSteadily(requests, perSecond, seconds);
        const { result, cpu } = await withCpu(subject.facts.processes, work);
        const figures = [rateFigure(result.perSecond), ...latencyFigures(result)];
        return { count: result.count, failed: result.failed, figures, cpu };
      },
    };
  },
};
