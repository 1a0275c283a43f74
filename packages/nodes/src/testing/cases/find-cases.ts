import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readAppCases } from './app-cases';
import type { KindCases } from './node-case';

let all: readonly KindCases[] | undefined;

/** The cases of all kinds. Those of apps are parsed once. */
export const findCases = (): readonly KindCases[] => (all ??= [...findOwnCases(), ...readAppCases()]);

/** The cases of all kinds but those of apps: exported by `cases.ts` in their folders, at any depth. */
export function findOwnCases(): KindCases[] {
  const folder = join(__dirname, '..', '..');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path) === 'cases.js')
    .sort()
    .flatMap((path) => load(join(folder, path)));
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
