import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorKind } from '@weft/service-kit/errors';
import { restErrorOf } from '../../src/middleware/responses/error-response';

const ROOT = join(__dirname, '../../../../..');
const KINDS: readonly ErrorKind[] = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not-found',
  'conflict',
  'precondition',
  'limited',
  'too-large',
  'unavailable',
  'timeout',
  'internal',
];

const sourcesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sourcesBelow(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [readFileSync(path, 'utf8')] : [];
  });

const sources = ['services', 'packages'].flatMap((group) =>
  readdirSync(join(ROOT, group))
    // Not services, or with reasons of the command line.
    .filter((name) => !['local-stack', 'bench', 'apply', 'cli'].includes(name))
    .flatMap((name) => sourcesBelow(join(ROOT, group, name, 'src'))),
);

/** Each reason in the sources, with its kind if it has one. */
const stated = sources.flatMap((source) =>
  [...source.matchAll(/reason(?::| =) '([A-Z][A-Z_]+)'(?:,\s*kind: '([a-z-]+)')?/g)].map(([, reason = '', kind]) => ({
    reason,
    kind,
  })),
);

/** The reasons of failed executions: a table in the domain of executions, and separate ones elsewhere. */
const failures = [
  ...readFileSync(join(ROOT, 'services/executions/src/domain/state/errors.ts'), 'utf8').matchAll(
    /^ {2}\w+: '([A-Z][A-Z_]+)',$/gm,
  ),
].map(([, reason = '']) => reason);

const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| ([a-z-]+) \| (\d+) \| `([A-Z_]+)` \|/gm)].map(
  ([, reason = '', kind = '', status = '', code = '']) => ({ reason, kind, status: Number(status), code }),
);
const failureRows = [...page.matchAll(/^\| `([A-Z_]+)` \| [^|]+\|$/gm)].map(([, reason = '']) => reason);

describe('docs/errors.md', () => {
  it('has reasons and rows', () => {
    expect([stated.length > 30, rows.length > 25, failures.length > 3, failureRows.length > 3]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('has a row for every reason in the sources, and no others', () => {
    const written = [...rows.map(({ reason }) => reason), ...failureRows];
    const known = new Set([...stated.map(({ reason }) => reason), ...failures]);
    expect([...known].filter((reason) => !written.includes(reason))).toEqual([]);
    expect(written.filter((reason) => !known.has(reason))).toEqual([]);
    expect(written.length).toBe(new Set(written).size);
  });

  it.each(rows)(
    'gives $reason the kind used in the sources, and the status and code returned by the gateway',
    ({ reason, kind, status, code }) => {
      const known = KINDS.find((one) => one === kind);
      if (known === undefined) throw new Error(`${kind} is not a kind.`);
      expect(restErrorOf({ reason, kind: known })).toEqual({ status, code });
      const others = stated.filter((one) => one.reason === reason && one.kind !== undefined && one.kind !== kind);
      expect(others).toEqual([]);
    },
  );
});
