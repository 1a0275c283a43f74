import type { ServiceName } from '@weft/local-stack';

/** A process of the stack. */
export interface Target {
  readonly service: ServiceName;
  readonly index: number;
}

/** The route from one process of the stack to all replicas of a service that it calls. */
export interface Link {
  readonly from: Target;
  readonly to: ServiceName | 'mongodb' | 'nats';
}

/** A service with a database. */
export type StoreService = 'executions' | 'workflows' | 'credentials';

/** How the database fails. */
export interface StoreErrors {
  /** The code that it answers with. */
  readonly code: number;
  /** The command takes effect anyway. */
  readonly isApplied: boolean;
  /** Rows are refused one by one, in an answer that is otherwise good. */
  readonly refusesRows: boolean;
  /** Share of the commands that fail, from 0 to 1. */
  readonly share: number;
}

/**
 * A fault of the running stack. Times are milliseconds.
 * - `kill`: SIGKILL, and a new process after `downMs`. `freeze`: SIGSTOP, and SIGCONT after `forMs`. `outlast`: the
 *   same for a runner, for longer than its lease and all delays before another runner has its work.
 * - `lose-nats`: killed, its store deleted, started empty. `freeze-nats`, `freeze-database`: SIGSTOP and SIGCONT.
 *   `kill-database`: SIGKILL of all its processes, and started again on what it wrote.
 * - `delay`: every piece takes `delayMs` longer. `reset`: connections are cut, new ones too. `half-open`: connections
 *   stay open and carry nothing. `lose-answers`: requests arrive, and the connection is cut before their answer does.
 * - `store-errors`: the database answers commands of all replicas of a service with an error.
 * - `step-clock`: the wall clock of a process is wrong by `stepMs`, then right again.
 * - `full-disk`: the disk of the database has no room, then the database is started again if it has ended.
 */
export type Fault =
  | { readonly kind: 'kill'; readonly target: Target; readonly downMs: number }
  | { readonly kind: 'freeze' | 'outlast'; readonly target: Target; readonly forMs: number }
  | { readonly kind: 'lose-nats' | 'kill-database'; readonly downMs: number }
  | { readonly kind: 'freeze-nats' | 'freeze-database'; readonly forMs: number }
  | { readonly kind: 'delay'; readonly link: Link; readonly forMs: number; readonly delayMs: number }
  | { readonly kind: 'reset' | 'half-open' | 'lose-answers'; readonly link: Link; readonly forMs: number }
  | {
      readonly kind: 'store-errors';
      readonly store: StoreService;
      readonly errors: StoreErrors;
      readonly forMs: number;
    }
  | { readonly kind: 'step-clock'; readonly target: Target; readonly stepMs: number; readonly forMs: number }
  | { readonly kind: 'full-disk'; readonly forMs: number };

/** A name of a fault. */
export type FaultKind = Fault['kind'];

/** A fault and when it begins, counted from the first start. */
export interface PlannedFault {
  readonly atMs: number;
  readonly fault: Fault;
}

const nameOf = ({ service, index }: Target): string => `${service}-${index}`;

/** The category of a fault: its kind, and the service it hits if one is hit. */
export const categoryOf = (fault: Fault): string => {
  switch (fault.kind) {
    case 'kill':
    case 'freeze':
    case 'step-clock':
      return `${fault.kind} ${fault.target.service}`;
    case 'store-errors':
      return `${fault.kind} of ${fault.store}`;
    case 'outlast':
    case 'lose-nats':
    case 'kill-database':
    case 'freeze-nats':
    case 'freeze-database':
    case 'full-disk':
      return fault.kind;
    case 'delay':
    case 'reset':
    case 'half-open':
    case 'lose-answers':
      return `${fault.kind} to ${fault.link.to}`;
  }
};

const describeErrors = ({ code, isApplied, refusesRows, share }: StoreErrors): string =>
  `code ${code} for ${Math.round(share * 100)} % of ${refusesRows ? 'the rows' : 'the commands'}` +
  (isApplied ? ', which take effect' : '');

/** A fault as one line for readers. */
export const describeFault = (fault: Fault): string => {
  switch (fault.kind) {
    case 'kill':
      return `kill ${nameOf(fault.target)}, back after ${fault.downMs} ms`;
    case 'freeze':
    case 'outlast':
      return `${fault.kind} ${nameOf(fault.target)} for ${fault.forMs} ms`;
    case 'lose-nats':
    case 'kill-database':
      return `${fault.kind}, back after ${fault.downMs} ms`;
    case 'freeze-nats':
    case 'freeze-database':
    case 'full-disk':
      return `${fault.kind} for ${fault.forMs} ms`;
    case 'store-errors':
      return `store-errors of ${fault.store} for ${fault.forMs} ms: ${describeErrors(fault.errors)}`;
    case 'step-clock':
      return `step-clock of ${nameOf(fault.target)} by ${fault.stepMs / 1_000} s for ${fault.forMs} ms`;
    case 'delay':
      return `delay ${nameOf(fault.link.from)} -> ${fault.link.to} by ${fault.delayMs} ms for ${fault.forMs} ms`;
    case 'reset':
    case 'half-open':
    case 'lose-answers':
      return `${fault.kind} ${nameOf(fault.link.from)} -> ${fault.link.to} for ${fault.forMs} ms`;
  }
};

/** True if it ends a process. */
export const isKill = ({ kind }: Fault): boolean => kind === 'kill' || kind === 'lose-nats' || kind === 'kill-database';

/** True if it disturbs NATS or the database itself, not only the routes to them. */
export const hurtsServers = ({ kind }: Fault): boolean =>
  kind === 'lose-nats' ||
  kind === 'kill-database' ||
  kind === 'freeze-nats' ||
  kind === 'freeze-database' ||
  kind === 'full-disk';
