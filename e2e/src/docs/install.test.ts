import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HAS_KUBECTL } from '../deploy/rendered';
import { root, SERVICES } from '../deploy/services';

const page = readFileSync(join(root, 'docs', 'operations', 'install.md'), 'utf8');
const { version }: { readonly version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [, overlay = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];

(HAS_KUBECTL ? describe : describe.skip)('the overlay that docs/operations/install.md shows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-install-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('replaces every name that stands for one of the reader', () => {
    symlinkSync(root, join(folder, 'weft'));
    mkdirSync(join(folder, 'ours'));
    writeFileSync(join(folder, 'ours', 'kustomization.yaml'), overlay.replace(/^ {3}/gm, ''));
    const made = execFileSync('kubectl', ['kustomize', join(folder, 'ours')], { encoding: 'utf8' });
    expect(made.match(/PUBLIC_URL: .*/g)).toEqual(Array(4).fill('PUBLIC_URL: https://weft.our.example'));
    for (const service of SERVICES) expect(made).toContain(`image: registry.our.example/weft/${service}:${version}`);
    expect(made.match(/.*(?:example\.invalid|example\.org|letsencrypt).*/g)).toBeNull();
  });
});
