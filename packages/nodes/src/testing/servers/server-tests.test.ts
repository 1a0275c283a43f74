import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeKind, KIND_TABLE } from '../../descriptors/kinds';
import { CANNOT_FAIL } from '../cases/cannot-fail';
import { coverageOf } from '../cases/coverage';
import { findCases } from '../cases/find-cases';
import { operationsOf } from '../cases/operations';
import { isSubNode, knownKind } from '../known-kind';
import { DEAD_AND_SLOW, FAULT_TESTS, ON_SERVERS_ALONE, SERVER_TESTS, type TestOf } from './server-tests';
import { SERVER_RUNS } from './server-runs';

const KINDS = [...KIND_TABLE.values()];

const root = ((): string => {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
})();
const RUNNING = KINDS.filter((one) => one.neverRuns !== true && !isSubNode(one)).map((one) => [one.kind, one] as const);
const exists = ([file, title]: TestOf): boolean => readFileSync(join(root, file), 'utf8').includes(title);

/** True for a case with this title, whose end the file may generate. */
const isOf = (title: string, [file, given]: TestOf): boolean =>
  file.endsWith('cases.ts') && title.startsWith(given.replace(/\$\{.*$/, ''));

describe('every operation of every version of a kind', () => {
  // The faults of an operation are derived from its case.
  it.each(RUNNING)('of %s is a case, or is tested on a real server with its faults', (kind, descriptor) => {
    const isOnServer = ON_SERVERS_ALONE.includes(kind);
    const missing = coverageOf(descriptor)
      .filter(({ cases, hasServerTest }) => cases === 0 && !(hasServerTest && isOnServer))
      .map(({ version, operation }) => `${version} ${operation}`);
    expect({ addCasesFor: missing }).toEqual({ addCasesFor: [] });
  });

  it.each(Object.keys(SERVER_TESTS))('of %s is tested on a real server', (kind) => {
    const { operations = {} } = SERVER_TESTS[kind] ?? {};
    const all = knownKind(kind).versions.flatMap((version) => operationsOf(knownKind(kind), version));
    expect(Object.keys(operations).sort()).toEqual([...new Set(all)].sort());
    expect(Object.values(operations).filter((one) => !exists(one))).toEqual([]);
  });
});

describe('every version of a kind', () => {
  it.each(RUNNING)('of %s has a failing case that checks the message', (kind, descriptor) => {
    const cases = findCases().flatMap((one) => (one.kind === kind ? one.cases : []));
    const failing = new Set(cases.flatMap(({ fails, versions }) => (fails === undefined ? [] : versions)));
    const reason = CANNOT_FAIL[kind];
    const silent = descriptor.versions.filter((version) => !failing.has(version));
    expect({ addFailingCasesFor: reason === undefined ? silent : [] }).toEqual({ addFailingCasesFor: [] });
    // A reason that no longer applies must be removed.
    expect({ kind, remove: reason !== undefined && silent.length === 0 }).toEqual({ kind, remove: false });
  });
});

describe('a kind without an account', () => {
  it.each(Object.entries(FAULT_TESTS))(
    'such as %s withstands bad credentials, hostile names and injection',
    (_, all) => {
      const tests = Object.values(all).filter((one): one is TestOf => typeof one !== 'string');
      expect([...tests, ...Object.values(DEAD_AND_SLOW)].filter((one) => !exists(one))).toEqual([]);
    },
  );

  it.each(Object.entries(FAULT_TESTS))('such as %s has cases of a fault in every version', (kind, all) => {
    const cases = findCases().flatMap((one) => (one.kind === kind ? one.cases : []));
    const missing = Object.values(all).flatMap((one) => {
      const named = typeof one === 'string' ? [] : cases.filter(({ it: title }) => isOf(title, one));
      const shown = named.flatMap(({ versions }) => versions);
      return named.length === 0
        ? []
        : knownKind(kind)
            .versions.filter((version) => !shown.includes(version))
            .map((version) => `${version} ${one[1]}`);
    });
    expect({ addCasesFor: missing }).toEqual({ addCasesFor: [] });
  });
});

describe('a kind that talks to a server', () => {
  it('is run against a dead server, a silent one, and one that sends a byte at a time', () => {
    const talking = [
      ...Object.keys(SERVER_TESTS),
      ...findCases().flatMap(({ kind, cases, database }) =>
        database !== undefined || cases.some((one) => typeof one.run === 'function' && one.run.length > 0)
          ? [kind]
          : [],
      ),
    ];
    const run = SERVER_RUNS.map(({ kind }) => kind);
    expect({ addServerRunsFor: talking.filter((kind) => !run.includes(kind)) }).toEqual({ addServerRunsFor: [] });
    expect(run.filter((kind) => describeKind(kind) === undefined)).toEqual([]);
  });
});
