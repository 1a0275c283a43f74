import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import type { WriteOutcome } from '../claimed-execution';
import { createInlineStore } from './inline-store';
import type { ExecutionStore } from './execution-store';

const CLAIM = { executionId: 'e', fence: 1 };
const END = { ...CLAIM, checkpoint: 0, nodeRuns: [], lastNode: '' };

/** A store that records the replica of each write. */
const storeOf = (place: string, log: string[], outcome: () => Promise<WriteOutcome>): ExecutionStore => {
  const write = (name: string) => () => {
    log.push(`${place}.${name}`);
    return outcome();
  };
  const unused = () => Promise.reject(new Error('not part of this test'));
  return {
    claim: unused,
    heartbeat: unused,
    startChild: unused,
    acquireSlot: unused,
    findFirstResult: unused,
    countModelTokens: unused,
    readChunk: unused,
    readNodeRuns: unused,
    persist: write('persist'),
    checkpoint: write('checkpoint'),
    report: write('report'),
    release: write('release'),
    pause: write('pause'),
    respond: write('respond'),
  };
};

const storesOf = (replica: () => Promise<WriteOutcome>, service: () => Promise<WriteOutcome>) => {
  const log: string[] = [];
  return { log, ...createInlineStore(storeOf('replica', log, replica), storeOf('service', log, service)) };
};

const applied = () => Promise.resolve<WriteOutcome>('applied');
const fenced = () => Promise.resolve<WriteOutcome>('fenced');

describe('the store of an inline run', () => {
  it('is the replica that holds the run until a write is stored, and the service after that', async () => {
    const { store, isStored, log } = storesOf(applied, applied);
    expect(isStored()).toBe(false);
    await store.persist(CLAIM);
    expect(isStored()).toBe(true);
    await store.report(END);
    expect(log).toEqual(['replica.persist', 'service.report']);
  });

  it('asks any other replica, which does not know the run, when the one that holds it has stopped', async () => {
    const { store, isStored, log } = storesOf(() => Promise.reject(new Unavailable('down')), fenced);
    expect(await store.persist(CLAIM)).toBe('fenced');
    expect(isStored()).toBe(false);
    expect(log).toEqual(['replica.persist', 'service.persist']);
  });

  it('is the service from the beginning if the run was stored with its claim', async () => {
    const log: string[] = [];
    const { store, isStored } = createInlineStore(
      storeOf('replica', log, applied),
      storeOf('service', log, applied),
      true,
    );
    expect(isStored()).toBe(true);
    await store.report(END);
    expect(log).toEqual(['service.report']);
  });

  it('passes a refusal on without asking another replica', async () => {
    const refusal = new ServiceError({ reason: 'TOO_LARGE', kind: 'too-large', message: 'too large' });
    const { store, log } = storesOf(() => Promise.reject(refusal), applied);
    await expect(store.report(END)).rejects.toBe(refusal);
    expect(log).toEqual(['replica.report']);
  });
});
