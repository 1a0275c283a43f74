import { freePort, Ledger, ManagedProcess, type ServiceName } from '@weft/local-stack';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { until } from '../until';

/** Folder of `prometheus` and `promtool`, as `npm test` sets it up; tests that need one are skipped without it. */
export const PROMETHEUS = process.env['PROMETHEUS'] ?? '';

/** Namespace that the series of the tests have, as a pod monitor gives it. */
export const NAMESPACE = 'weft';

/** Answer of the API of Prometheus. */
interface Answer<Data> {
  readonly status: 'success' | 'error';
  readonly error?: string;
  readonly data: Data;
}

/** A series of an instant query. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

/** A rule as Prometheus has loaded and evaluated it. */
export interface Rule {
  readonly name: string;
  readonly query: string;
  readonly health: 'ok' | 'err' | 'unknown';
  readonly lastError?: string;
}

/** A running Prometheus. */
export interface Prometheus {
  /** @throws Error with the query and the answer of Prometheus */
  readonly query: (expression: string) => Promise<readonly Series[]>;
  readonly rules: () => Promise<readonly Rule[]>;
  readonly stop: () => Promise<void>;
}

const SCRAPE = '1s';

const configFor = (ports: Readonly<Record<ServiceName, number>>, rules: string): string =>
  stringify({
    global: { scrape_interval: SCRAPE, evaluation_interval: SCRAPE },
    rule_files: [rules],
    scrape_configs: Object.entries(ports).map(([service, port]) => ({
      job_name: service,
      static_configs: [{ targets: [`127.0.0.1:${port}`], labels: { namespace: NAMESPACE } }],
    })),
  });

/** Starts a Prometheus that scrapes the processes of a stack every second, as jobs of their names. */
export const startPrometheus = async (
  ports: Readonly<Record<ServiceName, number>>,
  rules: string,
): Promise<Prometheus> => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-prometheus-'));
  const port = await freePort();
  writeFileSync(join(folder, 'prometheus.yml'), configFor(ports, rules));
  const server = ManagedProcess.start({
    name: 'prometheus',
    command: join(PROMETHEUS, 'prometheus'),
    args: [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    env: { PATH: process.env['PATH'] },
    logFile: join(folder, 'log'),
    stopManner: { signal: 'SIGTERM', graceMs: 5_000 },
    ledger: new Ledger(join(folder, 'run')),
  });
  const ask = async <Data>(path: string): Promise<Answer<Data>> => {
    const answer: Answer<Data> = JSON.parse(await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).text());
    return answer;
  };
  await until('a Prometheus that is ready', async () => {
    server.throwIfEnded();
    return fetch(`http://127.0.0.1:${port}/-/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
  });
  return {
    query: async (expression) => {
      const { status, error, data } = await ask<{ readonly result: readonly Series[] }>(
        `query?query=${encodeURIComponent(expression)}`,
      );
      if (status !== 'success') throw new Error(`${expression}: ${error}`);
      return data.result;
    },
    rules: async () => {
      const { data } = await ask<{ readonly groups: readonly { readonly rules: readonly Rule[] }[] }>('rules');
      return data.groups.flatMap(({ rules: some }) => some);
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
