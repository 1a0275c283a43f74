import { readFileSync } from 'node:fs';
import { hasCode } from '../errors';

/** One process, distinguished from a later one that was given the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in clock ticks since boot, as text; empty where the system does not report it. */
  readonly startedAt: string;
}

/** Identifies a running process; undefined if there is none with that number, or only its unreaped remains. */
export function identify(pid: number): ProcessIdentity | undefined {
  if (!exists(pid)) return undefined;
  const stat = readStat(pid);
  if (stat === undefined) return { pid, startedAt: '' };
  // the name in parentheses may hold blanks, so the fields are counted from the last closing one
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z') return undefined;
  return { pid, startedAt: fields[19] ?? '' };
}

/** True if that very process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/** Reads an identity from stored JSON text; undefined if it is not one. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('startedAt' in value)) return undefined;
    const { pid, startedAt } = value;
    return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : undefined;
  } catch {
    return undefined;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // a process of another user exists anyway
    return hasCode(error, 'EPERM');
  }
}

function readStat(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}
