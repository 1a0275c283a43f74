import { isDeepStrictEqual } from 'node:util';
import { StackError } from '../errors';
import { waitUntil } from '../wait-until';
import { forEachService } from './services';
import type { ServiceName } from './services';
import type { Stack } from './stack';
import { startStack } from './start-stack';
import type { StackOptions } from './start-stack';

/** Requirements of a borrower. */
export interface BorrowOptions {
  /** Number of processes of each service; one by default. */
  readonly replicas?: number;
  /** Variables for all processes of a service, over those that every borrowed stack has. */
  readonly env?: StackOptions['env'];
  /** Compiled files to run instead of the services' own; for tests of this module. */
  readonly programs?: StackOptions['programs'];
}

type Settings = Readonly<Record<ServiceName, Readonly<Record<string, string>>>>;

/**
 * Defaults of borrowed stacks: no limit of requests, servers of the test itself within reach, passwords that are cheap
 * to hash, and sweeps that come soon, yet not so often that an unused stack takes a tenth of a core.
 */
const USUAL: Settings = {
  ...forEachService(() => ({})),
  executions: { SWEEP_MS: '1000' },
  credentials: { RATE_LIMIT_PER_MINUTE: '0', PASSWORD_COST: '4' },
  runner: { OUTBOUND_ALLOW: '127.0.0.1' },
};

const LIMIT_MS = 30_000;

let idle: Stack | undefined;

/**
 * Returns a stack that no other borrower uses until {@link giveStackBack}. It may have served others before: it still
 * stores their data, but none of their workflows is active and none of their runs continues. Killed processes run
 * again. Processes with other settings were restarted, and so was each runner: for minutes it would treat owners
 * by what their runs did before, such as read large data.
 */
export async function borrowStack({ replicas = 1, env = {}, programs = {} }: BorrowOptions = {}): Promise<Stack> {
  const settings = forEachService((service) => ({ ...USUAL[service], ...env[service] }));
  const found = idle;
  idle = undefined;
  if (found !== undefined) {
    holdParent(found, true);
    if (found.of('gateway').length === replicas) return adapt(found, settings);
    await found.stop();
  }
  return startStack({ replicas: forEachService(() => replicas), env: settings, programs });
}

/**
 * Takes a borrowed stack back and retains it for the next borrower of this process. It does not keep this process
 * alive, and ends with it. Undefined, of a borrower that got none, is ignored.
 */
export async function giveStackBack(stack: Stack | undefined): Promise<void> {
  if (stack === undefined) return;
  if (idle !== undefined) return stack.stop();
  holdParent(stack, false);
  idle = stack;
}

function holdParent({ processes, servers }: Stack, holds: boolean): void {
  for (const each of [...processes, ...servers]) each.holdParent(holds);
}

async function adapt(stack: Stack, settings: Settings): Promise<Stack> {
  try {
    const usedRunners = stack.of('runner').filter(({ hasEnded }) => !hasEnded);
    await Promise.all(
      stack.processes.map(async (each) => {
        const wanted = settings[each.service];
        const isOther = each.hasEnded || !isDeepStrictEqual(each.settings, wanted);
        if (isOther && !usedRunners.includes(each)) await each.restart(wanted);
        else await each.waitUntilHealthy();
      }),
    );
    await waitUntilReached(stack);
    await quieten(stack);
    // Now, as it would first wait for the runs that it has.
    await Promise.all(usedRunners.map((each) => each.restart(settings.runner)));
    return stack;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** Waits until every gateway reaches its peers, which it may have to find again after restarts. */
async function waitUntilReached({ baseUrls, apiKey, dataDir }: Stack): Promise<void> {
  const urls = baseUrls.flatMap((base) =>
    ['workflows', 'executions', 'credentials'].map((name) => `${base}/api/v1/${name}`),
  );
  const isReached = async (): Promise<boolean> => {
    const replies = await Promise.all(urls.map((url) => send('GET', `${url}?limit=1`, apiKey)));
    return replies.every(({ ok }) => ok);
  };
  if ((await waitUntil(isReached, { limitMs: LIMIT_MS })) === undefined)
    throw new StackError(`A gateway does not reach its peers; the logs are in ${dataDir}/logs.`);
}

/** Ends the remains of the previous borrower: active workflows first, since they start runs. */
async function quieten({ baseUrls: [base = ''], apiKey, dataDir }: Stack): Promise<void> {
  const api = `${base}/api/v1`;
  for (const { id, active } of await list(`${api}/workflows`, apiKey))
    if (active === true) await send('POST', `${api}/workflows/${id}/deactivate`, apiKey);
  const isQuiet = async (): Promise<boolean> => {
    const running = await list(`${api}/executions?limit=100&status=running`, apiKey);
    const live = [...running, ...(await list(`${api}/executions?limit=100&status=waiting`, apiKey))];
    for (const { id } of live) await send('POST', `${api}/executions/${id}/cancel`, apiKey);
    return live.length === 0;
  };
  if ((await waitUntil(isQuiet, { limitMs: LIMIT_MS })) === undefined)
    throw new StackError(`Runs of an earlier borrower do not end; the logs are in ${dataDir}/logs.`);
}

function send(method: string, url: string, apiKey: string): Promise<Response> {
  return fetch(url, { method, headers: { 'x-svc-api-key': apiKey } });
}

interface Listed {
  readonly id: string;
  /** Of workflows. */
  readonly active?: boolean;
}

async function list(url: string, apiKey: string): Promise<readonly Listed[]> {
  const reply = await send('GET', url, apiKey);
  if (!reply.ok) throw new StackError(`GET ${url} answered ${reply.status}.`);
  const { data }: { readonly data: readonly Listed[] } = JSON.parse(await reply.text());
  return data;
}
