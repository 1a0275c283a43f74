import { StackError, waitUntil } from '@weft/local-stack';
import { setTimeout } from 'node:timers/promises';
import { createCall, idOf, type WorkflowBody } from '../api';
import { fieldOf } from '../json-client';
import type { Subject } from '../stacks/subject';
import { EXPRESS, latencyFigures, rateFigure, withCpu, type Load } from './load';
import { requestLoad } from './request-load';
import { sendRequests, type Requests } from './send-requests';
import { tenNodes } from './ten-nodes';
import {
  assignment,
  ifLarger,
  node,
  ORDER,
  setNode,
  webhookChain,
  webhookWorkflow,
  type ResponseMode,
} from './webhook-workflow';

/** Runs of a burst for each second that a measurement lasts. */
const BURST_PER_SECOND = 1_000;

/** Calls of a webhook with an order. */
export const webhookRequests = ({ api }: Pick<Subject, 'api'>, path: string, connections: number): Requests => ({
  url: `${api.baseUrl}/webhook/${path}`,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: ORDER,
  connections,
});

/** Waits for work that follows the end of runs. */
type AfterRuns = () => Promise<void>;

/** @param follow prepares what follows the end of each run of a workflow */
const burstOf = (
  name: string,
  title: string,
  follow: (subject: Subject, workflowId: string, targetUrl: string) => Promise<AfterRuns>,
): Load => ({
  name,
  title: `webhook -> set, a burst until all are ${title}, 50 connections`,
  per: 'run',
  ceiling: { of: 'storeBatched', needs: 3, text: 'three batched writes each' },
  prepare: async (subject, { targetUrl }) => {
    const workflowId = await subject.api.create(webhookWorkflow(name, 'onReceived'));
    const untilFollowed = await follow(subject, workflowId, targetUrl);
    const requests = webhookRequests(subject, name, 50);
    const run = async (bound: { amount: number } | { seconds: number }) => {
      const began = performance.now();
      const taken = await sendRequests(requests, bound);
      await subject.api.untilDone(workflowId);
      await untilFollowed();
      return { taken, completed: taken.count / ((performance.now() - began) / 1000) };
    };
    return {
      warmUp: async (seconds) => void (await run({ seconds })),
      measure: async (seconds) => {
        const amount = Math.max(requests.connections, Math.round(BURST_PER_SECOND * seconds));
        const { result, cpu } = await withCpu(subject.facts.processes, () => run({ amount }));
        const { taken, completed } = result;
        return {
          count: taken.count,
          failed: taken.failed,
          figures: [
            rateFigure(completed, 'completed'),
            { key: 'takenPerSecond', label: 'taken', unit: '/s', value: taken.perSecond },
            ...latencyFigures(taken),
          ],
          cpu,
        };
      },
    };
  },
});

const burst = burstOf('burst', 'completed', () => Promise.resolve(() => Promise.resolve()));

const NOTIFIED_LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 50;

/** The same with an event subscription on every run; the server of the bench receives its batches of 50. */
const notified = burstOf('notified', 'completed and notified', async ({ api }, workflowId, url) => {
  const call = createCall(api.baseUrl, api.headers);
  const settings = { name: 'notified', url, batch: 50, workflowIds: [workflowId] };
  const id = idOf(fieldOf(await call('POST', '/event-subscriptions', settings), 'data'));
  const pending = `/event-subscriptions/${id}/notifications?state=pending&limit=1`;
  const isDone = async (): Promise<boolean> => (await api.readPage(pending)).count === 0;
  return async () => {
    // Completion hooks run a moment after the end of their run.
    await setTimeout(4 * LOOK_EVERY_MS);
    if ((await waitUntil(isDone, { limitMs: NOTIFIED_LIMIT_MS, everyMs: LOOK_EVERY_MS })) !== true)
      throw new StackError('Notifications are not delivered.');
  };
});

const lastNode = (connections: 1 | 50): Load => ({
  name: `last-node-${connections}`,
  title: `webhook -> set, answered by the last node, ${connections === 1 ? 'one connection' : '50 connections'}`,
  per: 'run',
  ceiling: EXPRESS,
  prepare: async (subject) => {
    const path = `last-node-${connections}`;
    const workflowId = await subject.api.create(webhookWorkflow(path, 'lastNode'));
    return requestLoad(subject, webhookRequests(subject, path, connections), () => subject.api.untilDone(workflowId));
  },
});

/** A load of awaited calls of a workflow. */
const awaited = (
  name: string,
  title: string,
  connections: number,
  make: (path: string, mode: ResponseMode, targetUrl: string) => WorkflowBody,
): Load => ({
  name,
  title: `${title}, ${connections} connections`,
  per: 'run',
  prepare: async (subject, { targetUrl }) => {
    const workflowId = await subject.api.create(make(name, 'lastNode', targetUrl));
    const requests = webhookRequests(subject, name, connections);
    return requestLoad(subject, requests, () => subject.api.untilDone(workflowId));
  },
});

const http = awaited('http', 'webhook -> if -> httpRequest -> set', 20, (path, mode, targetUrl) =>
  webhookChain(
    path,
    mode,
    ifLarger('Large', '={{ $json.body.qty }}', 1),
    node('Ask', 'httpRequest', 4.2, { method: 'GET', url: targetUrl, options: {} }),
    setNode('Set', assignment('status', 'string', '={{ $json.status }}')),
  ),
);

const FEW_ITEMS = 100;
const twoCode = awaited('two-code', `webhook -> Code (${FEW_ITEMS} items) -> Code`, 4, (path, mode) =>
  webhookChain(
    path,
    mode,
    node('Make', 'code', 2, {
      jsCode:
        `return Array.from({ length: ${FEW_ITEMS} }, (_, id) => ` +
        "({ json: { id, name: 'Name ' + id, qty: id % 7 } }))",
    }),
    node('Change', 'code', 2, {
      jsCode: 'return $input.all().map(({ json }) => ({ json: { ...json, total: json.qty * 3 } }))',
    }),
  ),
);

const ITEMS = 1_000;
const nineNodes = awaited('nine-nodes', '1,000 items through nine nodes', 4, (path) => tenNodes(path, ITEMS));

/** Runs that webhooks start. */
export const WEBHOOK_LOADS: readonly Load[] = [burst, notified, lastNode(1), lastNode(50), http, twoCode, nineNodes];
