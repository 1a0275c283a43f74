import { runInNewContext } from 'node:vm';
import { collectGarbage } from './collect-garbage';

const MIB = 1024 * 1024;
const heapUsed = (): number => process.memoryUsage().heapUsed;

describe('a collection of garbage', () => {
  it('gives back what nothing refers to', () => {
    let lists: unknown[] | undefined = Array.from({ length: 40 }, () => new Array<number>(128 * 1024).fill(1));
    const before = heapUsed();
    expect(lists).toHaveLength(40);
    lists = undefined;
    collectGarbage();
    expect(before - heapUsed()).toBeGreaterThan(30 * MIB);
  });

  it('leaves no function that collects behind, here or in contexts that are made later', () => {
    collectGarbage();
    expect([typeof globalThis.gc, runInNewContext('typeof gc')]).toEqual(['undefined', 'undefined']);
  });
});
