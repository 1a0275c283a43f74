import { cpus, totalmem } from 'node:os';
import type { Options } from '../options';
import type { BenchResult } from '../result';
import type { Subject } from '../stacks/subject';

/** Version of the form of the JSON result, raised by every change that a reader could stumble over. */
export const JSON_VERSION = 1;

const BYTES_PER_MIB = 1_048_576;

/** The result for programs; its form is described in docs/performance.md. */
export const jsonReport = (
  startedAt: Date,
  options: Pick<Options, 'rounds' | 'seconds' | 'warmUpSeconds'>,
  subjects: readonly Subject[],
  { loads, reference, ceilings, engine, memory }: BenchResult,
) => ({
  format: 'weft-bench',
  version: JSON_VERSION,
  startedAt: startedAt.toISOString(),
  machine: {
    cpus: cpus().length,
    model: cpus()[0]?.model ?? 'unknown',
    memoryMiB: Math.round(totalmem() / BYTES_PER_MIB),
    platform: `${process.platform} ${process.arch}`,
  },
  rounds: options.rounds,
  seconds: options.seconds,
  warmUpSeconds: options.warmUpSeconds,
  reference: reference ?? null,
  subjects: subjects.map(({ name, folder, about, commit, node, replicas, facts }) => ({
    name,
    checkout: folder,
    about,
    commit: commit ?? null,
    node: node.version,
    replicas,
    readyMs: facts.readyMs,
    processes: [...new Set(facts.processes.map((each) => each.name))],
    memory: memory
      .filter(({ subject }) => subject === name)
      .map(({ process: of, idleMiB, afterMiB }) => ({ process: of, idleMiB, afterMiB })),
  })),
  loads,
  ceilings: ceilings ?? null,
  engine: engine ?? null,
});
