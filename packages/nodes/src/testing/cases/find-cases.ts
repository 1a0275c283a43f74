import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readAppCases } from './app-cases';
import type { KindCases } from './node-case';

/** The cases of all kinds. */
export const findCases = (): KindCases[] => [...findOwnCases(), ...readAppCases()];

/** The cases of all kinds but those of apps: exported by `cases.ts` in their folders. */
export function findOwnCases(): KindCases[] {
  const folder = join(__dirname, '..', '..');
  return readdirSync(folder)
    .map((kind) => join(folder, kind, 'cases.js'))
    .filter(existsSync)
    .flatMap(load);
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
