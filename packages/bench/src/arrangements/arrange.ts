import { freePorts, makeAuthority, SERVICES } from '@weft/local-stack';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startOwnServer } from '../own-server';
import type { StackSettings } from '../stacks/stack-messages';

/**
 * A stack whose metrics are scraped and whose traces are recorded at the default, or one without either; one whose
 * services prove themselves by certificates, or one whose services call each other in plain text.
 */
export type Arrangement = 'observed' | 'unobserved' | 'secured' | 'plain';

/** How a stack is arranged. */
export interface Arranged {
  /** Variables by service. */
  readonly env: StackSettings['env'];
  /** Begins to scrape, once the stack is up. */
  readonly begin: () => void;
  readonly stop: () => Promise<void>;
}

/** The usual interval of a Prometheus. */
const SCRAPE_MS = 15_000;
const NO_METRICS = resolve(__dirname, '../../../preload/no-metrics.cjs');

const forEach = (of: (index: number) => Readonly<Record<string, string>>): StackSettings['env'] =>
  Object.fromEntries(SERVICES.map((service, index) => [service, of(index)]));

const observed = async (): Promise<Arranged> => {
  const ports = await freePorts(SERVICES.length);
  const receiver = await startOwnServer(join(__dirname, 'receiver-main.js'));
  const scrape = (): void => {
    for (const port of ports)
      fetch(`http://127.0.0.1:${port}/metrics`).then(
        (answer) => answer.text(),
        () => undefined,
      );
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    env: forEach((index) => ({
      METRICS_PORT: String(ports[index]),
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url.replace(/\/$/, ''),
    })),
    begin: () => {
      timer = setInterval(scrape, SCRAPE_MS);
    },
    stop: () => {
      clearInterval(timer);
      return receiver.stop();
    },
  };
};

const plain: Arranged = { env: {}, begin: () => undefined, stop: () => Promise.resolve() };

const unobserved: Arranged = { ...plain, env: forEach(() => ({ NODE_OPTIONS: `--require=${NO_METRICS}` })) };

const HOSTS = ['localhost', '127.0.0.1'];

const secured = async (): Promise<Arranged> => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-bench-'));
  const authority = makeAuthority(folder, 'bench');
  const variables = SERVICES.map((service): Readonly<Record<string, string>> => {
    const { certificate, key } = authority.issue(service, HOSTS);
    return { GRPC_TLS_CERT: certificate, GRPC_TLS_KEY: key, GRPC_TLS_CA: authority.certificate };
  });
  return {
    ...plain,
    env: forEach((index) => variables[index] ?? {}),
    stop: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
  };
};

const MAKERS: Readonly<Record<Arrangement, () => Promise<Arranged>>> = {
  observed,
  unobserved: () => Promise.resolve(unobserved),
  secured,
  plain: () => Promise.resolve(plain),
};

/** Prepares what an arrangement of a stack needs, with one of each service. */
export const arrange = (arrangement: Arrangement): Promise<Arranged> => MAKERS[arrangement]();
