import type { Api } from './api';
import type { Ceilings } from './ceilings';
import { applyLoad, startLoad, type Load } from './load';
import { connectionsText, failures, ms, ofCeiling, rate, type Row } from './table';
import { ORDER, webhookWorkflow } from './workflows';

const BURST = 5_000;
const WARM_UP = 3_000;
const STORED = 10_000;
const MAX_WAIT_MS = 120_000;

const webhookLoad = (api: Api, path: string, connections: number, amount: number): Load => ({
  url: `${api.baseUrl}/webhook/${path}`,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: ORDER,
  connections,
  amount,
});

const untilDone = async (api: Api, workflowId: string): Promise<void> => {
  const end = performance.now() + MAX_WAIT_MS;
  while (await api.hasRunning(workflowId)) {
    if (performance.now() > end) throw new Error('The executions of the burst did not end.');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};

/** A burst of webhooks: how fast they are taken, and how fast all their executions are completed. */
const measureBurst = async (api: Api, ceilings: Ceilings): Promise<Row[]> => {
  const workflowId = await api.create(webhookWorkflow('burst', 'onReceived'));
  await applyLoad(webhookLoad(api, 'burst', 50, WARM_UP));
  await untilDone(api, workflowId);
  const began = performance.now();
  const load = startLoad(webhookLoad(api, 'burst', 50, BURST));
  await load.answered;
  await untilDone(api, workflowId);
  const completed = BURST / ((performance.now() - began) / 1000);
  const taken = await load.result;
  return [
    {
      what: `executions completed, webhook -> set, burst of ${BURST}`,
      figure: rate(completed),
      ceiling:
        `${ofCeiling(completed, ceilings.storeBatched / 3, 'three batched writes each')}; ` +
        `${ofCeiling(completed, ceilings.storeSingle / 3, 'three single writes each')}`,
    },
    {
      what: 'webhooks taken during that burst, 50 connections',
      figure: `${rate(taken.perSecond)}${failures(taken.failed)}`,
      ceiling: ofCeiling(taken.perSecond, ceilings.expressHop, 'Express with one hop'),
    },
    { what: '  p50 / p99', figure: `${ms(taken.p50Ms)} / ${ms(taken.p99Ms)}`, ceiling: '' },
  ];
};

const measureAnswers = async (api: Api, ceilings: Ceilings): Promise<Row[]> => {
  await api.create(webhookWorkflow('answered', 'lastNode'));
  await applyLoad(webhookLoad(api, 'answered', 10, 500));
  const rows: Row[] = [];
  for (const [connections, amount] of [
    [1, 500],
    [50, 4_000],
  ] as const) {
    const result = await applyLoad(webhookLoad(api, 'answered', connections, amount));
    rows.push({
      what: `webhooks answered by their last node, ${connectionsText(connections)}`,
      figure: `${rate(result.perSecond)}${failures(result.failed)}`,
      ceiling: ofCeiling(result.perSecond, ceilings.expressHop, 'Express with one hop'),
    });
    rows.push({ what: '  p50 / p99', figure: `${ms(result.p50Ms)} / ${ms(result.p99Ms)}`, ceiling: '' });
  }
  return rows;
};

const measureReads = async (api: Api, ceilings: Ceilings): Promise<Row[]> => {
  const id = await api.create(webhookWorkflow('read', 'onReceived'));
  const reads: readonly [string, string][] = [
    ['GET workflow by id, 50 connections', `/api/v1/workflows/${id}`],
    [`GET executions limit 20, ${STORED.toLocaleString('en')} stored, 50 connections`, '/api/v1/executions?limit=20'],
  ];
  const rows: Row[] = [];
  for (const [what, path] of reads) {
    const load = { url: `${api.baseUrl}${path}`, headers: api.headers, connections: 50 };
    await applyLoad({ ...load, amount: 500 });
    const result = await applyLoad({ ...load, amount: 4_000 });
    rows.push({
      what,
      figure: `${rate(result.perSecond)}${failures(result.failed)}`,
      ceiling: ofCeiling(result.perSecond, ceilings.expressHop, 'Express with one hop'),
    });
    rows.push({ what: '  p50 / p99', figure: `${ms(result.p50Ms)} / ${ms(result.p99Ms)}`, ceiling: '' });
  }
  return rows;
};

/** Raises the number of stored executions to that with which the list is measured. */
const fill = async (api: Api): Promise<void> => {
  const workflowId = await api.create(webhookWorkflow('fill', 'onReceived'));
  await applyLoad(webhookLoad(api, 'fill', 50, STORED - BURST - WARM_UP));
  await untilDone(api, workflowId);
};

/** All measurements of one run, in the order in which they disturb each other least. */
export const measureAll = async (api: Api, ceilings: Ceilings): Promise<Row[]> => {
  const burst = await measureBurst(api, ceilings);
  const answers = await measureAnswers(api, ceilings);
  await fill(api);
  return [...burst, ...answers, ...(await measureReads(api, ceilings))];
};
