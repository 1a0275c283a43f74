import { KINDS } from '@weft/node-catalogue';
import { NODE_REGISTRY } from './registry';

describe('the registry', () => {
  it('runs exactly the kinds that the catalogue describes', () => {
    expect([...NODE_REGISTRY.keys()].sort()).toEqual(KINDS.map((one) => one.kind).sort());
  });

  it('names every executor by its kind', () => {
    for (const [kind, executor] of NODE_REGISTRY) expect(executor.kind).toBe(kind);
  });
});
