#!/usr/bin/env node
// Draws the graph of each example from its workflow file: npm run examples:draw
//   --check   writes nothing, and prints the pictures that are not current
import { createRequire } from 'node:module';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const { readDocuments } = require('../packages/apply/dist/src/index.js');
const { drawPicture } = require('../packages/workflow-edit/dist/src/index.js');
const { readDefinition } = require('../packages/node-catalogue/dist/src/definitions.js');
const { KIND_TABLE } = require('../packages/nodes/dist/src/descriptors/index.js');

const isCheck = process.argv.includes('--check');
const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
for (const { name } of folders) {
  const folder = join(import.meta.dirname, name);
  const file = ['workflow.yaml', 'workflow.json'].find((one) => existsSync(join(folder, one)));
  const { documents, errors } = readDocuments(file, file, readFileSync(join(folder, file), 'utf8'));
  if (errors.length > 0) throw new Error(`${name}/${file}: ${errors[0].message}`);
  const picture = drawPicture(readDefinition(documents[0].definition), KIND_TABLE);
  const path = join(folder, 'graph.svg');
  if (existsSync(path) && readFileSync(path, 'utf8') === picture) continue;
  if (isCheck) console.log(`${name}/graph.svg`);
  else writeFileSync(path, picture);
}
