import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readAppCases } from './app-cases';
import type { KindCases } from './node-case';

/** The cases of all kinds: exported by `cases.ts` in their folders, or in `cases.yaml` of their apps. */
export function findCases(): KindCases[] {
  const folder = join(__dirname, '..', '..');
  const own = readdirSync(folder)
    .map((kind) => join(folder, kind, 'cases.js'))
    .filter(existsSync)
    .flatMap(load);
  return [...own, ...readAppCases()];
}

function load(path: string): KindCases[] {
  const exported: unknown = require(path);
  return typeof exported === 'object' && exported !== null ? Object.values(exported).filter(isKindCases) : [];
}

function isKindCases(value: unknown): value is KindCases {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && 'cases' in value && Array.isArray(value.cases)
  );
}
