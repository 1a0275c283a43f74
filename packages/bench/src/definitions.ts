import type { Stack } from '@weft/local-stack';
import type { Api } from './api';
import { applyLoad, type Load } from './load';
import { cpuMs } from './process-figures';
import { connectionsText, failures, ms, rate, type Row } from './table';

const NODES = 30;

const nodeAt = (index: number) => ({
  id: `node-${index}`,
  name: `Set ${index}`,
  type: 'weft-nodes-base.set',
  typeVersion: 3.4,
  position: [200 * index, 0],
  parameters: {
    mode: 'manual',
    options: {},
    assignments: {
      assignments: Array.from({ length: 4 }, (_, field) => ({
        id: `${index}-${field}`,
        name: `field${field}`,
        type: 'string',
        value: `={{ $json.field${field} }} of step ${index}`,
      })),
    },
  },
});

/** A chain of Set nodes, about 18 KB of JSON. */
const chain = () => ({
  name: `bench ${NODES} nodes`,
  nodes: Array.from({ length: NODES }, (_, index) => nodeAt(index)),
  connections: Object.fromEntries(
    Array.from({ length: NODES - 1 }, (_, index) => [
      `Set ${index}`,
      { main: [[{ node: `Set ${index + 1}`, type: 'main', index: 0 }]] },
    ]),
  ),
  settings: { executionOrder: 'v1' },
});

/**
 * GET and PUT of a definition of 30 nodes: requests a second, and CPU of the gateway and the workflows service for
 * each,
 * which is what two versions are compared by.
 */
export const measureDefinitions = async (api: Api, { processes }: Pick<Stack, 'processes'>): Promise<Row[]> => {
  const workflow = chain();
  const url = `${api.baseUrl}/api/v1/workflows/${await api.create(workflow)}`;
  const body = JSON.stringify(workflow);
  const pids = processes
    .filter(({ service }) => service === 'gateway' || service === 'workflows')
    .map(({ pid }) => pid);
  const cpu = (): number => pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
  // One connection replaces: many that replace the same workflow at once contend, and some of them fail.
  const loads: readonly (readonly [string, Pick<Load, 'method' | 'body' | 'connections' | 'amount'>])[] = [
    ['GET', { method: 'GET', connections: 20, amount: 2_000 }],
    ['PUT', { method: 'PUT', body, connections: 1, amount: 300 }],
  ];
  const rows: Row[] = [];
  for (const [method, request] of loads) {
    const { connections, amount } = request;
    const load: Load = { url, headers: api.headers, ...request };
    await applyLoad({ ...load, amount: amount / 10 });
    const before = cpu();
    const { perSecond, p50Ms, p99Ms, failed } = await applyLoad(load);
    const spent = (cpu() - before) / amount;
    rows.push(
      {
        what:
          `${method} workflow of ${NODES} nodes (${Math.round(body.length / 100) / 10} KB), ` +
          `${connectionsText(connections)}`,
        figure: `${rate(perSecond)}${failures(failed)}`,
        ceiling: `${spent.toFixed(2)} ms CPU of gateway and workflows each`,
      },
      { what: '  p50 / p99', figure: `${ms(p50Ms)} / ${ms(p99Ms)}`, ceiling: '' },
    );
  }
  return rows;
};
