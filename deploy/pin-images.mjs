#!/usr/bin/env node
// Names the images of a release by digest, in copies of the chart and of the production overlay:
//   node deploy/pin-images.mjs --registry registry.our.example/weft --digests digests.json \
//     [--chart FOLDER] [--overlay FOLDER] [--runbooks https://code.our.example/weft/blob/v0.2.0]
// digests.json has a digest for each image: { "gateway": "sha256:…", …, "mongo:8.0": …, "nats:2.12-alpine": … }.
// FOLDER is deploy/helm/weft or deploy/k8s of a copy that is published. `check-published.mjs` checks the result.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseDocument } from 'yaml';
import { SERVICES } from './make-keys.mjs';

/** Images of Weft: one of each service, and the operator's. */
const IMAGES = [...SERVICES, 'operator'];

const USAGE =
  'Usage: node deploy/pin-images.mjs --registry NAME --digests FILE [--chart FOLDER] [--overlay FOLDER] ' +
  '[--runbooks URL]';
const DIGEST = /^sha256:[0-9a-f]{64}$/;

const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
};

/** Changes a YAML file and keeps its comments. */
const edit = (file, change) => {
  const document = parseDocument(readFileSync(file, 'utf8'));
  change(document);
  writeFileSync(file, document.toString({ lineWidth: 0 }));
};

/** @param digestOf digest of an image @throws Error if there is none */
const pinChart = (folder, { registry, runbooks, digestOf }) =>
  edit(join(folder, 'values.yaml'), (values) => {
    values.setIn(['image', 'registry'], registry);
    if (runbooks !== undefined) values.setIn(['monitoring', 'runbooks'], runbooks);
    for (const image of IMAGES) values.setIn([image, 'digest'], digestOf(image));
    for (const server of ['mongodb', 'nats']) {
      const [image] = values.getIn([server, 'image']).split('@');
      values.setIn([server, 'image'], `${image}@${digestOf(image)}`);
    }
  });

const pinOverlay = (folder, { registry, digestOf }) =>
  edit(join(folder, 'overlays/production/kustomization.yaml'), (overlay) => {
    const servers = ['nats:2.12-alpine'].map((image) => ({ name: image.split(':')[0], digest: digestOf(image) }));
    const services = IMAGES.map((service) => ({
      name: `weft-${service}`,
      newName: `${registry}/${service}`,
      digest: digestOf(service),
    }));
    overlay.set('images', overlay.createNode([...services, ...servers]));
  });

const { values: given } = parseArgs({
  options: Object.fromEntries(
    ['registry', 'digests', 'chart', 'overlay', 'runbooks'].map((name) => [name, { type: 'string' }]),
  ),
});
if (!given.registry || !given.digests || !(given.chart || given.overlay)) fail(USAGE);
const digests = JSON.parse(readFileSync(given.digests, 'utf8'));
const digestOf = (image) => {
  if (!DIGEST.test(digests[image] ?? '')) fail(`${given.digests} has no digest (sha256:…) of ${image}.`);
  return digests[image];
};
const options = { ...given, digestOf };
if (given.chart) pinChart(given.chart, options);
if (given.overlay) pinOverlay(given.overlay, options);
