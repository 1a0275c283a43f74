import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openDataFolder, startSquid, type ProxiedLine, type Squid } from '@weft/local-stack';
import { createOutboundClient } from '@weft/outbound';
import type { Patience } from '../impatient-ports';
import { allowed, type Attempt, CORPUS, openCodeAttempts, shifting } from './attempts';
import { type Accepted, type CountingWorld, NAME_SERVER, openCountingWorld } from './counting-world';

/** Egress routes of a runner; in the last one the proxy resolves names and has no rules. */
export const WAYS = ['direct', 'tunnel', 'names', 'namesWithoutRules'] as const;
export type Way = (typeof WAYS)[number];
type Port = Exclude<Way, 'direct'> | 'unguarded';
type Settings = Parameters<typeof createOutboundClient>[0];

type Parts = Readonly<Record<string, readonly Attempt[]>>;

/** Accepted connections, by part of the corpus. */
export type Counts = Readonly<Record<string, Accepted>>;

/** The results of the scene. */
export interface Report {
  /** With the guard. */
  readonly guarded: Readonly<Record<Way, Counts>>;
  /** The same with every address allowed, so that the guard has no effect. */
  readonly unguarded: Readonly<Record<'direct' | 'tunnel' | 'names', Counts>>;
  /** Attempts on public addresses, with the guard, that made no connection. */
  readonly missed: readonly string[];
  readonly log: readonly ProxiedLine[];
}

const EVERYTHING = ['0.0.0.0/0', '::/0'];
const AT_ONCE = 64;
/** MongoDB drivers retry until the login times out. */
const BRIEF: Patience = { connectMs: 1_500, greetingMs: 4_000, stepMs: 4_000, silenceMs: 4_000 };
/** For connections that must succeed, however busy the machine is. */
const PATIENT: Patience = { connectMs: 60_000, greetingMs: 60_000, stepMs: 60_000, silenceMs: 60_000 };

/** Runs attempts, some at a time, with a separate client. */
async function runAll(attempts: readonly Attempt[], settings: Settings, patience = BRIEF): Promise<void> {
  const client = createOutboundClient(settings);
  const left = [...attempts];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      await next.run(client, patience).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  client.close();
}

/** The settings of a runner for an egress route. */
function settingsOf(squid: Squid<Port>, way: Way, port: Port, allow: readonly string[]): Settings {
  if (way === 'direct') return { allow };
  return { allow, proxy: squid.urlOf(port), proxyResolves: way !== 'tunnel' };
}

/** Runs parts of the corpus in sequence. */
async function countParts(world: CountingWorld, parts: Parts, settings: Settings): Promise<Counts> {
  const counts: Record<string, Accepted> = {};
  for (const [part, attempts] of Object.entries(parts)) {
    await runAll(attempts, settings);
    counts[part] = world.take();
  }
  return counts;
}

/** Attempts on public addresses by all routes at once, which are distinguished. @returns those without a connection */
async function missed(world: CountingWorld, settings: (way: Way) => Settings): Promise<Report['missed']> {
  const left = new Map<string, string>();
  for (const way of WAYS) {
    const attempts = allowed();
    for (const { address, name } of attempts) left.set(address, `${way}: ${name}`);
    void runAll(attempts, settings(way), PATIENT);
  }
  for (const end = Date.now() + PATIENT.connectMs; left.size > 0 && Date.now() < end; await setTimeout(50))
    for (const address of world.take().publicAddresses) left.delete(address);
  return [...left.values()];
}

/** Parts from which the others are made: the requests to the proxy depend only on these. */
const BASIC: Parts = Object.fromEntries(
  Object.entries(CORPUS).filter(([part]) => !['redirects', 'pages and tokens'].includes(part)),
);

async function observe(world: CountingWorld, squid: Squid<Port>): Promise<Omit<Report, 'log'>> {
  const code = await openCodeAttempts();
  const guarding = (way: Way): Settings => settingsOf(squid, way, way === 'direct' ? 'unguarded' : way, []);
  const unguarding = (way: Way): Settings => settingsOf(squid, way, 'unguarded', EVERYTHING);
  const all = (): Parts => ({ ...CORPUS, shifting: shifting(), code: code.attempts });
  try {
    return {
      guarded: {
        direct: await countParts(world, all(), guarding('direct')),
        tunnel: await countParts(world, all(), guarding('tunnel')),
        names: await countParts(world, all(), guarding('names')),
        // Without rules, the proxy decides how to handle a name that changes.
        namesWithoutRules: await countParts(world, BASIC, guarding('namesWithoutRules')),
      },
      unguarded: {
        direct: await countParts(world, { ...CORPUS, shifting: shifting() }, unguarding('direct')),
        tunnel: await countParts(world, BASIC, unguarding('tunnel')),
        names: await countParts(world, { ...BASIC, shifting: shifting() }, unguarding('names')),
      },
      missed: await missed(world, guarding),
    };
  } finally {
    await code.close();
  }
}

/** Arguments: the root file system of the proxy, a file with its rules, a file for the report. */
async function main([, , tree = '', rulesFile = '', reportFile = '']: readonly string[]): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), 'weft-ssrf-'));
  const folder = await openDataFolder(path, () => undefined);
  const world = await openCountingWorld();
  const squid = await startSquid<Port>(tree, folder, NAME_SERVER, {
    open: ['tunnel', 'namesWithoutRules', 'unguarded'],
    ruled: ['names'],
    rules: readFileSync(rulesFile, 'utf8'),
  });
  try {
    const observed = await observe(world, squid);
    writeFileSync(reportFile, JSON.stringify({ ...observed, log: await squid.stop() } satisfies Report));
  } finally {
    await squid.stop();
    world.close();
    folder.release();
    rmSync(path, { recursive: true, force: true });
  }
}

// Attempts that have connected are not awaited.
void main(process.argv).then(() => process.exit());
