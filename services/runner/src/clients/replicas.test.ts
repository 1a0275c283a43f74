import type { ExecutionStore } from '../domain/claims/held/execution-store';
import { createReplicas } from './replicas';

const unused = () => Promise.reject(new Error('not part of this test'));
const STORE: ExecutionStore = {
  claim: unused,
  heartbeat: unused,
  persist: unused,
  checkpoint: unused,
  report: unused,
  release: unused,
  pause: unused,
  respond: unused,
  startChild: unused,
  acquireSlot: unused,
  findFirstResult: unused,
  countModelTokens: unused,
  readChunk: unused,
  readNodeRuns: unused,
};

const replicasOf = (addresses: () => readonly string[]) => {
  const opened: string[] = [];
  let now = 0;
  const replicas = createReplicas(
    'dns:///executions:7002',
    (target) => {
      opened.push(target);
      return { store: STORE, claimOffered: unused, close: () => undefined };
    },
    () => now,
    () => Promise.resolve(addresses()),
  );
  return { replicas, opened, pass: (ms: number) => (now += ms) };
};

describe('replicas of the executions service', () => {
  it('have one connection each, and only if the target resolves to them', async () => {
    const { replicas, opened } = replicasOf(() => ['10.0.0.1:7002']);
    expect(await replicas.at('10.0.0.1:7002')).toMatchObject({ store: STORE });
    expect(await replicas.at('10.0.0.1:7002')).toMatchObject({ store: STORE });
    expect(await replicas.at('10.6.6.6:7002')).toBeUndefined();
    expect(await replicas.at('10.0.0.1:80')).toBeUndefined();
    expect(opened).toEqual(['ipv4:10.0.0.1:7002']);
  });

  it('are resolved again for a new address, but not for every forged one', async () => {
    let lookups = 0;
    const found = ['10.0.0.1:7002'];
    const { replicas, pass } = replicasOf(() => {
      lookups += 1;
      return found;
    });
    await replicas.at('10.0.0.2:7002');
    await replicas.at('10.0.0.3:7002');
    expect(lookups).toBe(1);
    found.push('10.0.0.2:7002');
    pass(1_000);
    expect(await replicas.at('10.0.0.2:7002')).toMatchObject({ store: STORE });
    expect(lookups).toBe(2);
  });
});
