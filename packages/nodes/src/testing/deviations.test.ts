import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { findCases } from './cases/find-cases';
import { knownKind } from './known-kind';

const ROOT = resolve(__dirname, '../../../../..');
const page = readFileSync(resolve(ROOT, 'docs/compatibility.md'), 'utf8');

/** A test that a row references: the file, from the root of the repository, and the title. */
interface Named {
  readonly file: string;
  readonly title: string;
}
interface Row {
  readonly number: string;
  readonly kinds: string;
  readonly tests: readonly Named[];
}

const testsOf = (cell: string): readonly Named[] =>
  [...cell.matchAll(/\]\(\.\.\/([^)]+)\): ((?:".*?"(?:, (?="))?)+)(?=; \[|$)/g)].flatMap(([, file = '', titles = '']) =>
    titles
      .slice(1, -1)
      .split('", "')
      .map((title) => ({ file, title })),
  );
const rows: readonly Row[] = page
  .slice(page.indexOf('## Measured deviations'))
  .split('\n')
  .flatMap((line) => {
    const [, number, kinds = '', tests = ''] = /^\| (\d+) \| .* \| ([^|]*) \| (\[.*) \|$/.exec(line) ?? [];
    return number === undefined ? [] : [{ number, kinds, tests: testsOf(tests) }];
  });

/** Versions that a row is about, by kind. */
const versionsOf = (kinds: string): readonly (readonly [kind: string, versions: readonly number[]])[] =>
  [...kinds.matchAll(/`(\w+)` (all|[\d., ]+)/g)].map(([, kind = '', versions = '']) => [
    kind,
    versions === 'all' ? knownKind(kind).versions : versions.split(', ').map(Number),
  ]);

/** Versions of a kind that the named cases cover; all, if a test is not a case: its own rows list its versions. */
function shown(kind: string, tests: readonly Named[]): ReadonlySet<number> {
  const titles = tests.map(({ title }) => title);
  const cases = findCases().flatMap((one) => (one.kind === kind ? one.cases : []));
  const isCase = tests.some(
    ({ file, title }) => file.endsWith('cases.ts') && cases.some(({ it: own }) => own === title),
  );
  return new Set(
    isCase ? cases.flatMap((one) => (titles.includes(one.it) ? one.versions : [])) : knownKind(kind).versions,
  );
}

describe('the table of measured deviations', () => {
  it('has its 28 rows, each with tests', () => {
    expect(rows.map(({ number }) => Number(number))).toEqual(Array.from({ length: 28 }, (_, index) => index + 1));
    expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  it.each(rows.map((row) => [row.number, row] as const))('names existing tests in row %s', (_number, { tests }) => {
    const lost = tests.filter(({ file, title }) => !readFileSync(resolve(ROOT, file), 'utf8').includes(title));
    expect(lost).toEqual([]);
  });

  it.each(rows.map((row) => [row.number, row] as const))(
    'references a test for every version that row %s is about',
    (_number, { kinds, tests }) => {
      const missing = versionsOf(kinds).flatMap(([kind, versions]) => {
        const has = shown(kind, tests);
        return versions.filter((version) => !has.has(version)).map((version) => `${kind} ${version}`);
      });
      expect({ addCasesFor: missing }).toEqual({ addCasesFor: [] });
    },
  );
});
