import { freePorts, makeAuthority, SERVICES } from '@weft/local-stack';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startOwnServer } from '../own-server';
import type { StackSettings } from '../stacks/stack-messages';

/**
 * A stack that is scraped and traced at the default rate, and alternately not; one whose services authenticate each
 * other with certificates; or one whose services call each other in plain text.
 */
export type Arrangement = 'observed' | 'secured' | 'plain';

/** A state that the processes of a stack take while they run. */
export interface StackState {
  /** Its column in the result. */
  readonly name: string;
  /** Takes it. */
  readonly enter: (services: readonly number[]) => Promise<void>;
}

/** How a stack is arranged. */
export interface Arranged {
  /** Variables by service. */
  readonly env: StackSettings['env'];
  /** States that are measured alternately. Absent: the stack has one. */
  readonly states?: readonly StackState[];
  /** Begins to scrape, once the stack is up. */
  readonly begin: () => void;
  readonly stop: () => Promise<void>;
}

/** The usual interval of a Prometheus. */
const SCRAPE_MS = 15_000;
const SWITCH = resolve(__dirname, '../../../preload/observation-switch.cjs');
/** Spans wait a second instead of five, so that they are sent in the measurement that they are of. */
const SPANS_WAIT_MS = 1_000;

/** Signals the services, and waits until they have switched and sent their pending data. */
const stateOf = (name: string, signal: NodeJS.Signals): StackState => ({
  name,
  enter: async (services) => {
    for (const pid of services) process.kill(pid, signal);
    await setTimeout(SPANS_WAIT_MS + 100);
  },
});

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
      OTEL_BSP_SCHEDULE_DELAY: String(SPANS_WAIT_MS),
      NODE_OPTIONS: `--require=${SWITCH}`,
    })),
    states: [stateOf('observed', 'SIGWINCH'), stateOf('unobserved', 'SIGURG')],
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
  secured,
  plain: () => Promise.resolve(plain),
};

/** Prepares an arrangement of a stack, with one of each service. */
export const arrange = (arrangement: Arrangement): Promise<Arranged> => MAKERS[arrangement]();
