import type { KindDescriptor } from '@weft/node-catalogue';
import { findCases } from './find-cases';
import { knownKind } from '../known-kind';
import type { KindCases, NodeCase } from './node-case';
import { operationOf, operationsOf } from './operations';
import { SERVER_TESTS } from '../servers/server-tests';

/** An operation of a version of a kind, and its tests. */
export interface Covered {
  readonly version: number;
  /** Empty for a kind that does one thing. */
  readonly operation: string;
  /** Cases that run the operation. */
  readonly cases: number;
  /** Those that expect a failure with a certain message. */
  readonly failing: number;
  /** True if a separate test runs it on a real server. */
  readonly hasServerTest: boolean;
}

/** Every operation of every version of a kind. */
export function coverageOf(descriptor: KindDescriptor): readonly Covered[] {
  const cases = findCases().filter(({ kind }) => kind === descriptor.kind);
  const all = cases.flatMap((one) => one.cases);
  const tested = SERVER_TESTS[descriptor.kind]?.operations ?? {};
  return descriptor.versions.flatMap((version) =>
    operationsOf(descriptor, version).map((operation): Covered => {
      const own = all.filter((one) => shows(descriptor, version, operation, one));
      return {
        version,
        operation,
        cases: own.length,
        failing: own.filter(({ fails }) => fails !== undefined).length,
        hasServerTest: Object.hasOwn(tested, operation) || cases.some(({ database }) => database !== undefined),
      };
    }),
  );
}

/**
 * Every operation of every version of a kind, with the case that represents it: the first that succeeds, or the first.
 * Operations without a case are left out.
 */
export function operationCases({ kind, cases }: KindCases): readonly (readonly [number, string, NodeCase])[] {
  const descriptor = knownKind(kind);
  return descriptor.versions.flatMap((version) =>
    operationsOf(descriptor, version).flatMap((operation) => {
      const own = cases.filter((one) => shows(descriptor, version, operation, one));
      const found = own.find(({ fails }) => fails === undefined) ?? own[0];
      return found === undefined ? [] : [[version, operation, found] as const];
    }),
  );
}

/** The cases of operations in the oldest and the newest version that has each: those between them add details. */
export function outerCases(all: KindCases): readonly (readonly [number, string, NodeCase])[] {
  const byOperation = Map.groupBy(operationCases(all), ([, operation]) => operation);
  return [...byOperation.values()].flatMap((rows) => [...new Set([...rows.slice(0, 1), ...rows.slice(-1)])]);
}

/** True if a case is about this operation of this version. */
function shows(descriptor: KindDescriptor, version: number, operation: string, one: NodeCase): boolean {
  if (!one.versions.includes(version)) return false;
  const { parameters = {} } = typeof one.run === 'function' ? one.run({ url: '' }) : one.run;
  return operationOf(descriptor, version, parameters) === operation;
}
