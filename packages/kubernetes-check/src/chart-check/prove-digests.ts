import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Report, runCommand, tryCommand } from '@weft/local-stack';
import { MANIFESTS } from '@weft/e2e/rendered';
import { IMAGES, root } from '@weft/e2e/services';
import { CHART } from '../chart/make-chart';

/** Images of others, as the manifests name them. */
const SERVERS = ['mongo:8.0', 'nats:2.12-alpine'] as const;
/** Values with every image. */
const ALL_IMAGES = [
  '--set',
  'publicUrl=https://weft.our.example,mongodb.inCluster=true,backUp.enabled=true,operator.enabled=true',
];

const check = (manifest: string): Promise<{ readonly code: number; readonly stderr: string }> =>
  tryCommand(process.execPath, [join(root, 'deploy/check-published.mjs')], { input: manifest });

/**
 * Pins the images of a copy of the chart and of the overlay, and has the result checked; the same without digests must
 * be refused.
 * @returns a sentence for each problem
 */
export const proveDigests = async (helm: string, folder: string, report: Report): Promise<readonly string[]> => {
  const [chart, manifests] = [join(folder, 'pinned/weft'), join(folder, 'pinned/k8s')];
  mkdirSync(join(folder, 'pinned'));
  cpSync(CHART, chart, { recursive: true });
  cpSync(MANIFESTS, manifests, { recursive: true });
  const digests = Object.fromEntries(
    [...IMAGES, ...SERVERS].map((name, index) => [name, `sha256:${String(index).padStart(64, '0')}`]),
  );
  const file = join(folder, 'digests.json');
  writeFileSync(file, JSON.stringify(digests));
  const pin = ['--registry', 'registry.our.example/weft', '--digests', file, '--chart', chart, '--overlay', manifests];
  await runCommand(process.execPath, [join(root, 'deploy/pin-images.mjs'), ...pin]);
  const problems: string[] = [];
  const pinned: readonly (readonly [string, string])[] = [
    ['chart', await runCommand(helm, ['template', 'weft', chart, ...ALL_IMAGES])],
    ['overlay production', await runCommand('kubectl', ['kustomize', join(manifests, 'overlays/production')])],
  ];
  for (const [name, manifest] of pinned) {
    const { code, stderr } = await check(manifest);
    if (code !== 0) problems.push(`the pinned ${name}: ${stderr.trim()}`);
  }
  const tagged = await runCommand(helm, ['template', 'weft', CHART, ...ALL_IMAGES, '--set', 'image.registry=ours']);
  const { code, stderr } = await check(tagged);
  if (code === 0 || !stderr.includes('ours/gateway:')) problems.push('A manifest with tags alone was not refused.');
  if (problems.length === 0) report('pinned chart and overlay: every image has a digest; with tags alone, refused');
  return problems;
};
