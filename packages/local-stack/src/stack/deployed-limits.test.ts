import { readDeployedLimits } from './deployed-limits';

describe('the limits of the deployment', () => {
  it('are those of the services, whose heaps fit into them, and not those of init containers', () => {
    for (const { memoryBytes, environment } of Object.values(readDeployedLimits())) {
      const heapMb = Number(/--max-old-space-size=(\d+)/.exec(environment['NODE_OPTIONS'] ?? '')?.[1]);
      expect(heapMb * 2 ** 20).toBeLessThan(memoryBytes);
    }
  });
});
