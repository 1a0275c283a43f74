import { unless, type ApiClient } from './api-client';

/** Maximum pods of one node. */
export const MAX_PODS = 200;

/** Interval of the node's sign of life; after 40 s it counts as lost. */
export const LEASE_MS = 10_000;
const LEASE_S = 40;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

const nodeStatus = (): object => {
  const now = new Date().toISOString();
  const room = { cpu: '64', memory: '64Gi', pods: String(MAX_PODS) };
  const ready = { type: 'Ready', status: 'True', reason: 'Agent', lastHeartbeatTime: now, lastTransitionTime: now };
  return { capacity: room, allocatable: room, conditions: [ready] };
};

/** Reports that a node is alive and ready. */
export const renewLease = async (api: ApiClient, name: string): Promise<void> => {
  const renewTime = new Date().toISOString().replace('Z', '000Z');
  const spec = { holderIdentity: name, leaseDurationSeconds: LEASE_S, renewTime };
  await unless(409, api.send('POST', LEASES, { metadata: { name }, spec }));
  await api.send('MERGE', `${LEASES}/${name}`, { spec });
  await api.send('MERGE', `/api/v1/nodes/${name}/status`, { status: nodeStatus() });
};

/** Registers a node as ready. */
export const registerNode = async (
  api: ApiClient,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<void> => {
  await unless(409, api.send('POST', '/api/v1/nodes', { metadata: { name, labels } }));
  await renewLease(api, name);
};
