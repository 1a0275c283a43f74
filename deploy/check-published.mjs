#!/usr/bin/env node
// Refuses manifests with an image that has no digest: a tag can be moved, so what runs would not be what was released.
//   helm template weft CHART -f values.yaml | node deploy/check-published.mjs
//   kubectl kustomize OVERLAY | node deploy/check-published.mjs
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

const PINNED = /@sha256:[0-9a-f]{64}$/;

/** Every image below a value, at any depth. */
const imagesOf = (value) => {
  if (Array.isArray(value)) return value.flatMap(imagesOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'image' && typeof inner === 'string' ? [inner] : imagesOf(inner),
  );
};

const objects = parseAllDocuments(readFileSync(0, 'utf8'))
  .map((document) => document.toJS())
  .filter((object) => object !== null);
const found = objects.flatMap((object) =>
  imagesOf(object).map((image) => ({ image, of: `${object.kind}/${object.metadata?.name}` })),
);
const loose = found.filter(({ image }) => !PINNED.test(image));
for (const { image, of } of loose)
  process.stderr.write(`${of}: ${image} has no digest. Pin it with deploy/pin-images.mjs.\n`);
if (found.length === 0) process.stderr.write('There is no image in the input. Pipe a manifest in.\n');
else if (loose.length === 0) process.stdout.write(`${found.length} images, all with a digest\n`);
process.exitCode = found.length > 0 && loose.length === 0 ? 0 : 1;
