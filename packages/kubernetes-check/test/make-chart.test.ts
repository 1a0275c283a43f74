import { COMPONENTS, HAS_KUBECTL } from '@weft/e2e/rendered';
import { LAYERS } from '../src/chart/layers';
import { staleFiles } from '../src/chart/make-chart';

// The generator builds the manifests with kubectl: machines without it skip the test.
(HAS_KUBECTL ? describe : describe.skip)('the Helm chart', () => {
  it('is the one that npm run chart:gen makes of the manifests', () => {
    expect(staleFiles()).toEqual([]);
  });
});

describe('the layers of the Helm chart', () => {
  it('are all components of the manifests; replicas are values', () => {
    const layers = LAYERS.map(({ component }) => component);
    // A team installs gitops-namespace in its own namespace.
    expect([...layers, 'fixed-replicas', 'gitops-namespace'].sort()).toEqual([...COMPONENTS].sort());
  });
});
