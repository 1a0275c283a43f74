import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPONENTS, HAS_KUBECTL } from '@weft/e2e/rendered';
import { LAYERS } from '../src/chart/layers';
import { CHART, makeChart } from '../src/chart/make-chart';

// The generator builds the manifests with kubectl: machines without it skip the test.
(HAS_KUBECTL ? describe : describe.skip)('the Helm chart', () => {
  it('is the one that npm run chart:gen makes of the manifests', () => {
    const stale = [...makeChart()].filter(
      ([path, content]) => !existsSync(join(CHART, path)) || readFileSync(join(CHART, path), 'utf8') !== content,
    );
    expect(stale.map(([path]) => path)).toEqual([]);
  });
});

describe('the layers of the Helm chart', () => {
  it('are all components of the manifests; replicas are values', () => {
    const layers = LAYERS.map(({ component }) => component);
    expect([...layers, 'fixed-replicas'].sort()).toEqual([...COMPONENTS].sort());
  });
});
