import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../../../..');

/** The functions that the preload replaces. It cannot be loaded to read them, since it acts at once. */
const patches = [
  ...readFileSync(join(ROOT, 'packages/chaos/src/preload/without.ts'), 'utf8').matchAll(
    /file: '([^']+)',\s+name: '([^']+)'/g,
  ),
].map(([, file = '', name = '']) => [name, file] as const);

describe('protections that can be taken away', () => {
  it('are some', () => {
    expect(patches.length).toBeGreaterThan(5);
  });

  it.each(patches)('%s is a function of %s', (name, file) => {
    const exported: unknown = require(join(ROOT, file));
    expect(exported).toHaveProperty(name, expect.any(Function));
  });
});
