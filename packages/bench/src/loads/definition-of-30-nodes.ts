import { assignment, to } from './webhook-workflow';

/** Number of its nodes. */
export const NODES = 30;

const FIELDS = 4;

const nodeAt = (index: number) => ({
  id: `node-${index}`,
  name: `Set ${index}`,
  type: 'n8n-nodes-base.set',
  typeVersion: 3.4,
  position: [200 * index, 0],
  parameters: {
    mode: 'manual',
    options: {},
    assignments: {
      assignments: Array.from({ length: FIELDS }, (_, field) =>
        assignment(`field${field}`, 'string', `={{ $json.field${field} }} of step ${index}`),
      ),
    },
  },
});

/** A chain of Set nodes, about 18 KB of JSON. */
export const definitionOf30Nodes = () => ({
  name: `bench ${NODES} nodes`,
  nodes: Array.from({ length: NODES }, (_, index) => nodeAt(index)),
  connections: Object.fromEntries(
    Array.from({ length: NODES - 1 }, (_, index) => [`Set ${index}`, { main: [to(`Set ${index + 1}`)] }]),
  ),
  settings: { executionOrder: 'v1' },
});
