import { SERVICES, type Stack, type StackProcess } from '@weft/local-stack';
import { setTimeout as sleep } from 'node:timers/promises';

/** Replacement of one process by the same one of another version. */
export interface Replacement {
  /** Such as `gateway-0`. */
  readonly name: string;
  readonly version: string;
  /** When it got SIGTERM, in milliseconds of Date.now(). */
  readonly beganAt: number;
  /** Milliseconds until it had ended. */
  readonly stopMs: number;
  /** Milliseconds until the new process was ready. */
  readonly readyMs: number;
  /** When the next one began; the last one of a roll has a pause too. */
  readonly endedAt: number;
  /** Sentence about an end that was not a proper one. */
  readonly problem: string | undefined;
}

/** A version to which processes are changed. */
export interface Version {
  readonly version: string;
  /** Compiled file of a service. */
  readonly programOf: (service: StackProcess['service']) => string;
}

/** Time that the deployments grant after SIGTERM. */
const GRACE_MS = { runner: 60_000, other: 45_000 } as const;
/** `minReadySeconds` of the deployments. */
const MIN_READY_MS = 5_000;

const replace = async (each: StackProcess, { version, programOf }: Version): Promise<Replacement> => {
  const beganAt = Date.now();
  each.kill('SIGTERM');
  const timer = setTimeout(() => each.kill('SIGKILL'), each.service === 'runner' ? GRACE_MS.runner : GRACE_MS.other);
  const { code, signal } = await each.ended;
  clearTimeout(timer);
  const stopMs = Date.now() - beganAt;
  each.setProgram(programOf(each.service));
  await each.restart();
  const readyMs = Date.now() - beganAt;
  await sleep(MIN_READY_MS);
  const name = `${each.service}-${each.index}`;
  return {
    name,
    version,
    beganAt,
    stopMs,
    readyMs,
    endedAt: Date.now(),
    problem: code === 0 ? undefined : `${name} ended with exit code ${code ?? 'none'}, signal ${signal ?? 'none'}`,
  };
};

/** Changes all processes to a version, one after the other: gateways first, as the last to start. */
export async function* roll(stack: Stack, version: Version): AsyncGenerator<Replacement> {
  for (const service of [...SERVICES].reverse())
    for (const each of stack.of(service)) yield await replace(each, version);
}
