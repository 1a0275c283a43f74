import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { KindCases } from './node-case';

/** All that the built files `*.cases.js` in and below a folder export. */
export function findCases(folder: string): KindCases[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return findCases(path);
    return entry.name.endsWith('.cases.js') ? load(path) : [];
  });
}

function load(path: string): KindCases[] {
  const exported: unknown = require(path);
  return typeof exported === 'object' && exported !== null ? Object.values(exported).filter(isKindCases) : [];
}

function isKindCases(value: unknown): value is KindCases {
  return typeof value === 'object' && value !== null && 'kind' in value && 'cases' in value && Array.isArray(value.cases);
}
