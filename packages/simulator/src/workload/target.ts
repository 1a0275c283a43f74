import type { OutboundClient, OutboundRequest, OutboundResponse } from '@weft/outbound';
import type { Random } from '../time/random';
import type { Scheduler } from '../time/scheduler';
import { currentProcess, type SimulatedProcess } from '../time/simulated-process';

/** A side effect that a node had. */
export interface Effect {
  readonly executionId: string;
  readonly name: string;
  readonly at: number;
  readonly process: string;
}

export interface TargetPorts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly note: (text: string) => void;
  /** Called when a process sends a request for a run. */
  readonly onSent: (executionId: string, name: string, process: SimulatedProcess | undefined) => void;
}

const response = (status: number, url: string): OutboundResponse => ({
  status,
  statusText: status === 200 ? 'OK' : 'Error',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"ok":true}'),
  url,
});

const nameOf = (pathname: string): string => pathname.split('/').at(-1) ?? '';

/** The server that HTTP nodes call: it counts the effects of each run. */
export class Target {
  readonly effects: Effect[] = [];

  constructor(readonly ports: TargetPorts) {}

  /** `/effect/<name>?id=<execution>` with `ms` and `status`. */
  #request({ url, signal }: OutboundRequest): Promise<OutboundResponse> {
    const { scheduler, random, note } = this.ports;
    const { pathname, searchParams } = new URL(url);
    const from = currentProcess();
    const ms = Number(searchParams.get('ms') ?? 5);
    return new Promise((resolve, reject) => {
      const aborted = (): void => reject(Object.assign(new Error('The request was aborted.'), { code: 'ABORTED' }));
      if (signal?.aborted === true) return aborted();
      signal?.addEventListener('abort', aborted);
      this.ports.onSent(searchParams.get('id') ?? '', nameOf(pathname), from);
      scheduler.deliver(random.next() * 3, undefined, () => {
        const effect = {
          executionId: searchParams.get('id') ?? '',
          name: nameOf(pathname),
          at: scheduler.now(),
          process: from?.name ?? '',
        };
        this.effects.push(effect);
        note(`effect ${effect.name} of ${effect.executionId} by ${effect.process}`);
        const status = Number(searchParams.get('status') ?? 200);
        scheduler.deliver(ms * (0.5 + random.next()), from, () => resolve(response(status, url)));
      });
    });
  }

  openClient(): OutboundClient {
    return {
      request: (request) => this.#request(request),
      stream: () => Promise.reject(new Error('The simulation has no streams.')),
      openSocket: () => Promise.reject(new Error('The simulation has no sockets.')),
      close: () => undefined,
    };
  }
}
