import { freePorts, SERVICES } from '@weft/local-stack';
import { join, resolve } from 'node:path';
import { startOwnServer } from '../own-server';
import type { StackSettings } from '../stacks/stack-messages';

/** A stack whose metrics are scraped and whose traces are recorded at the default, or one without either. */
export type Observation = 'observed' | 'unobserved';

/** How a stack is observed. */
export interface Observer {
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

const observed = async (): Promise<Observer> => {
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

const unobserved: Observer = {
  env: forEach(() => ({ NODE_OPTIONS: `--require=${NO_METRICS}` })),
  begin: () => undefined,
  stop: () => Promise.resolve(),
};

/** Prepares what observes a stack, with one of each service. */
export const observe = (observation: Observation): Promise<Observer> =>
  observation === 'observed' ? observed() : Promise.resolve(unobserved);
