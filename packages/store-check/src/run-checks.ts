import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase } from '@weft/service-kit/mongo';
import { checkMigrations } from './check-migrations';
import type { Probe, Row } from './probe';
import { PROBES } from './probes';
import type { CheckResult } from './report';
import { checkServer } from './server-checks';

/** A probe that hangs has failed. */
const PROBE_LIMIT_MS = 60_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs a probe in a new collection. */
export const runProbe = async (
  probe: Probe,
  db: Parameters<Probe['run']>[0]['db'],
  number: number,
): Promise<CheckResult> => {
  const { area, what } = probe;
  const rows = db.collection<Row>(`probe${number}`);
  const limit = new AbortController();
  const tooLong = sleep(PROBE_LIMIT_MS, undefined, { signal: limit.signal }).then(() => {
    throw new Error(`no end after ${PROBE_LIMIT_MS / 1_000} s`);
  });
  try {
    return { area, what, outcome: 'ok', detail: await Promise.race([probe.run({ db, rows }), tooLong]) };
  } catch (error) {
    return { area, what, outcome: 'fails', detail: messageOf(error) };
  } finally {
    limit.abort();
    await tooLong.catch(() => undefined);
  }
};

/**
 * Does what the services do, in separate databases on the given server, which it drops afterwards.
 * @throws errors of connecting: no server, a wrong password, missing privileges
 */
export const runChecks = async (uri: string): Promise<readonly CheckResult[]> => {
  const prefix = `weft_check_${randomBytes(4).toString('hex')}`;
  // With the settings of the services: write concern, read preference, pool, no retries by the driver.
  const { connection, close } = await connectDatabase(uri, prefix);
  try {
    const client = connection.getClient();
    const db = client.db(prefix);
    const results: CheckResult[] = [...(await checkServer(db, uri))];
    for (const [number, probe] of PROBES.entries()) results.push(await runProbe(probe, db, number));
    await db.dropDatabase();
    results.push(...(await checkMigrations(uri, client, prefix)));
    return results;
  } finally {
    await close();
  }
};
