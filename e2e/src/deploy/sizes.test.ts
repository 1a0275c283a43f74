import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HAS_KUBECTL, MANIFESTS, render } from './rendered';
import { root } from './services';
import { cellsOf, totalsOf } from './sizes';

(HAS_KUBECTL ? describe : describe.skip)('the sizes of an instance', () => {
  const totals = (overlay: string) => totalsOf(render(join(MANIFESTS, 'overlays', overlay)));

  it('are at most 4 GiB for everything together in the small one', () => {
    expect(totals('small').limitsMib).toBeLessThanOrEqual(4_096);
  });

  it.each(['small', 'production', 'local'])(
    'of the overlay %s are those that its page and its file state',
    (overlay) => {
      const page = readFileSync(join(root, 'docs/operations/choose-a-size.md'), 'utf8');
      expect(page).toContain(`| \`${overlay}\` | ${cellsOf(totals(overlay))} |`);
      if (overlay === 'small') return;
      const file = readFileSync(join(MANIFESTS, 'overlays', overlay, 'kustomization.yaml'), 'utf8');
      const { cpus, requestsMib } = totals(overlay);
      expect(file).toContain(`${cpus} CPUs and ${requestsMib.toLocaleString('en-US')} MiB`);
    },
  );
});
