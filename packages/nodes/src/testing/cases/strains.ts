import { worstStrings } from '@weft/expressions/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { memoryFiles } from '@weft/engine/testing';
import { eachPlace, type Fault } from './faults';
import type { TaskRunner } from '@weft/sandbox';
import type { CaseServer } from '../servers/case-server';
import { storeFiles } from './keeps-promise';
import type { CaseWorld, NodeCase } from './node-case';
import { type KindRun, runKind } from './run-kind';

/** A run that kept the thread for longer than it may. */
export interface Overload {
  readonly strain: string;
  readonly cpuMs: number;
}

/** Clients of the test's server, and the server, which shares the thread. */
interface CostEnvironment {
  readonly ports: Partial<KindRun>;
  readonly server: Pick<CaseServer, 'cpuMs'>;
}

const sameEverywhere = (items: readonly JsonObject[], text: string): JsonObject[] =>
  items.map((item) => Object.fromEntries(Object.keys(item).map((name) => [name, text])));

/**
 * The case with each worst string of a length in place of all values of its items, and of each parameter that data of
 * an item can reach.
 */
export function strainsOf(one: NodeCase, world: CaseWorld, length: number): readonly Fault[] {
  const run = typeof one.run === 'function' ? one.run(world) : one.run;
  const files = one.withFiles === undefined ? {} : { withFiles: one.withFiles };
  return Object.entries(worstStrings(length)).flatMap(([name, text]) => {
    const items =
      run.inputs === undefined
        ? { items: sameEverywhere(run.items ?? [{}], text) }
        : { inputs: run.inputs.map((list) => sameEverywhere(list, text)) };
    return [
      { name: `${name} in the items`, run: { ...run, ...items }, ...files },
      ...eachPlace(run, [name, text]).map((fault) => ({ ...fault, ...files })),
    ];
  });
}

/** Untrusted data is parsed in other processes, which have time limits. */
const ELSEWHERE: TaskRunner = { run: () => Promise.resolve({ kind: 'stopped', reason: 'time' }) };

/**
 * Runs a case with its strains. Returns those that take more CPU of this thread than `limitMs`, at every try, besides
 * the CPU for storing the items, which every node that passes them on has, and that of the test's server.
 */
export async function overloads(
  kind: string,
  version: number,
  strains: readonly Fault[],
  environment: CostEnvironment,
  limitMs: number,
): Promise<readonly Overload[]> {
  const found: Overload[] = [];
  for (const strain of strains) {
    let cpuMs = await cpuOf(kind, version, strain, environment);
    for (let tries = 0; cpuMs > limitMs && cpuMs < 5 * limitMs && tries < 3; tries += 1)
      cpuMs = Math.min(cpuMs, await cpuOf(kind, version, strain, environment));
    if (cpuMs > limitMs) cpuMs -= await cpuOf('noOp', 1, passedOn(strain), environment);
    if (cpuMs > limitMs) found.push({ strain: strain.name, cpuMs: Math.round(cpuMs) });
  }
  return found;
}

/** A run that only passes the items of a strain on. */
function passedOn({ name, run }: Fault): Fault {
  return { name, run: { items: [...(run.items ?? []), ...(run.inputs ?? []).flat()] } };
}

async function cpuOf(
  kind: string,
  version: number,
  strain: Fault,
  { ports, server }: CostEnvironment,
): Promise<number> {
  const files = memoryFiles();
  const binary = strain.withFiles === undefined ? {} : { binary: await storeFiles(files, strain.withFiles) };
  const node = { ...ports.node, ...strain.run.node };
  const before = process.threadCpuUsage();
  const serverBefore = server.cpuMs();
  await runKind(kind, { files, ...binary, ...ports, formats: ELSEWHERE, ...strain.run, node, version });
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000 - (server.cpuMs() - serverBefore);
}
