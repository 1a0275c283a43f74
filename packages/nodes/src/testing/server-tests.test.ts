import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { describeKind } from '../descriptors/kinds';
import { findCases } from './keeps-promise';
import type { NodeCase } from './node-case';
import { CASE_FAULTS, CASES_ALONE, SERVER_TESTS, type TestOf } from './server-tests';

const root = ((): string => {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
})();
const allCases = findCases();

interface Operation {
  readonly version: number;
  /** `resource operation`; empty for a kind without operations. */
  readonly name: string;
}

const counts = ({ since = 0, until = Infinity }: { since?: number; until?: number }, version: number): boolean =>
  version >= since && version <= until;
const known = (kind: string): KindDescriptor => {
  const descriptor = describeKind(kind);
  if (descriptor === undefined) throw new Error(`No kind ${kind}.`);
  return descriptor;
};
const parametersOf = (kind: string, version: number, name: string): readonly ParameterDescriptor[] =>
  known(kind).parameters.filter((one) => one.name === name && counts(one, version));
const choices = (one: ParameterDescriptor, version: number): readonly string[] =>
  (one.options ?? [])
    .filter((option) => counts(option, version) && option.refused === undefined)
    .map(({ value }) => String(value));
const nameOf = (resource: string, operation: string): string => `${resource} ${operation}`.trim();

/** Every operation of every version, as the descriptor states them. A resource that is a text has one value. */
const operationsOf = (kind: string): readonly Operation[] =>
  known(kind).versions.flatMap((version) => {
    const resources = parametersOf(kind, version, 'resource').flatMap((one) => choices(one, version));
    const names = (resources.length === 0 ? [''] : resources).flatMap((resource) =>
      parametersOf(kind, version, 'operation')
        .filter(({ shownWhen }) => shownWhen?.['resource']?.includes(resource) ?? true)
        .flatMap((one) => choices(one, version).map((operation) => nameOf(resource, operation))),
    );
    return (names.length === 0 ? [''] : names).map((name) => ({ version, name }));
  });

const ofCase = (kind: string, version: number, { run }: NodeCase): string => {
  const { parameters = {} } = typeof run === 'function' ? run({ url: '' }) : run;
  const hasResources = parametersOf(kind, version, 'resource').some(({ options }) => options !== undefined);
  const resource = hasResources
    ? String(parameters['resource'] ?? parametersOf(kind, version, 'resource')[0]?.default ?? '')
    : '';
  const [first] = parametersOf(kind, version, 'operation').filter(
    ({ shownWhen }) => shownWhen?.['resource']?.includes(resource) ?? true,
  );
  return nameOf(resource, String(parameters['operation'] ?? first?.default ?? ''));
};

const exists = ([file, title]: TestOf): boolean => readFileSync(join(root, file), 'utf8').includes(title);

describe('every operation of every version of a kind', () => {
  it.each([...Object.keys(CASE_FAULTS), ...CASES_ALONE])('of %s is a case', (kind) => {
    const cases = allCases.filter((one) => one.kind === kind).flatMap((one) => one.cases);
    const missing = operationsOf(kind).filter(
      ({ version, name }) =>
        !cases.some((one) => one.versions.includes(version) && ofCase(kind, version, one) === name),
    );
    expect(missing).toEqual([]);
  });

  it.each(Object.keys(SERVER_TESTS))('of %s is tested on a real server', (kind) => {
    const { operations = {} } = SERVER_TESTS[kind] ?? {};
    expect(Object.keys(operations).sort()).toEqual([...new Set(operationsOf(kind).map(({ name }) => name))].sort());
    expect(Object.values(operations).filter((one) => !exists(one))).toEqual([]);
  });

  it.each([...Object.keys(CASE_FAULTS), ...Object.keys(SERVER_TESTS)])(
    'of %s withstands bad credentials, dead and slow servers, hostile names and injection',
    (kind) => {
      const faults = CASE_FAULTS[kind] ?? SERVER_TESTS[kind]?.faults ?? {};
      const tests = Object.values(faults).filter((one): one is TestOf => typeof one !== 'string');
      expect(tests.filter((one) => !exists(one))).toEqual([]);
    },
  );
});
