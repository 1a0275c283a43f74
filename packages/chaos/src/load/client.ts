import { setTimeout as sleep } from 'node:timers/promises';
import { idIn } from './id-in';
import type { Entry } from './journal';

/** Addresses and user of clients. */
export interface Endpoints {
  /** Of all gateways. */
  readonly baseUrls: readonly string[];
  readonly apiKeyOf: (isHostile: boolean) => string;
  /** @throws Error if there is no such workflow. */
  readonly workflowIdOf: (kind: string) => string;
}

/** Time a client waits for an answer, and time for which it retries, in milliseconds. */
export interface Patience {
  readonly attemptMs: number;
  readonly limitMs: number;
}

/** For clients that need the result: longer than a gateway waits for most of them. */
export const ATTEMPT_MS = 12_000;

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs: number;
}

type Step = 'done' | 'again';

const MAX_PAUSE_MS = 2_000;
const MAX_HOSTILE_ATTEMPTS = 4;
const MAX_FAULTS = 3;

const post = async (
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Reply | undefined> => {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
      signal: AbortSignal.timeout(timeoutMs),
    });
    return {
      status: reply.status,
      text: await reply.text(),
      retryAfterMs: Number(reply.headers.get('retry-after') ?? '0') * 1_000,
    };
  } catch {
    // refused, reset or too late: a careful client tries again
    return undefined;
  }
};

const judgeHealthy = (entry: Entry, { status, text }: Reply): Step => {
  const { start } = entry.start.kind;
  if (status >= 200 && status < 300) {
    if (start.by === 'webhook' && start.answer !== undefined) {
      const wanted = JSON.stringify(start.answer(entry.start.index));
      if (text !== wanted) entry.faults.push(`answered ${text.slice(0, 200)} in place of ${wanted}`);
    }
    return 'done';
  }
  if (status === 503 || status === 429) return 'again';
  entry.faults.push(`answered ${status}: ${text.slice(0, 300)}`);
  // the same key gets the same answer from a failed run; one more try shows whether the run failed
  return status >= 500 && entry.faults.length < MAX_FAULTS ? 'again' : 'done';
};

const judge = (entry: Entry, reply: Reply | undefined): Step => {
  if (entry.start.isHostile)
    return reply !== undefined && reply.status !== 503 && reply.status !== 429
      ? 'done'
      : entry.attempts >= MAX_HOSTILE_ATTEMPTS
        ? 'done'
        : 'again';
  return reply === undefined ? 'again' : judgeHealthy(entry, reply);
};

/**
 * Sends one start as a careful client does: the same key at the next gateway until one accepts it, and remembers every
 * id that it receives.
 */
export const sendStart = async (entry: Entry, endpoints: Endpoints, patience: Patience): Promise<void> => {
  const { kind, index, isHostile } = entry.start;
  const isWebhook = kind.start.by === 'webhook';
  const body = JSON.stringify(isWebhook ? kind.body(index) : { data: kind.body(index) });
  const path = isWebhook ? `/webhook/${kind.name}` : `/api/v1/workflows/${endpoints.workflowIdOf(kind.name)}/execute`;
  const headers = {
    'idempotency-key': entry.key,
    ...(isWebhook ? {} : { 'x-svc-api-key': endpoints.apiKeyOf(isHostile) }),
  };
  const until = Date.now() + patience.limitMs;
  for (;;) {
    const base = endpoints.baseUrls[(index + entry.attempts) % endpoints.baseUrls.length] ?? '';
    entry.attempts += 1;
    const reply = await post(`${base}${path}`, body, headers, patience.attemptMs);
    const id = reply === undefined ? undefined : idIn(reply.text);
    if (reply !== undefined && id !== undefined) (reply.status < 300 ? entry.ids : entry.possibleIds).add(id);
    if (judge(entry, reply) === 'done') {
      if (reply !== undefined && reply.status < 300) {
        entry.acceptedAt = Date.now();
        entry.answer = reply.text;
      }
      return;
    }
    if (Date.now() > until) return;
    await sleep(Math.min(MAX_PAUSE_MS, reply?.retryAfterMs ?? 0) * Math.random() + 100);
  }
};

/** Wakes a run at the address it returned, at any gateway, until that is known to have happened. */
export const sendResume = async (entry: Entry, endpoints: Endpoints, patience: Patience): Promise<void> => {
  const until = Date.now() + patience.limitMs;
  let hasDoubt = false;
  for (let attempt = 0; Date.now() < until; attempt += 1) {
    const base = endpoints.baseUrls[(entry.start.index + attempt) % endpoints.baseUrls.length] ?? '';
    const path = new URL(entry.answer ?? '', base).pathname;
    const reply = await post(`${base}${path}`, '{}', {}, patience.attemptMs);
    if (reply !== undefined && reply.status < 300) return;
    // after a lost answer, or a refusal in between, the run may have continued
    if (reply?.status === 409 && !reply.text.includes('EXECUTION_NOT_WAITING_YET') && hasDoubt) return;
    if (reply !== undefined && reply.status !== 503 && reply.status !== 429 && reply.status !== 409)
      entry.faults.push(`was answered ${reply.status} at its own address: ${reply.text.slice(0, 200)}`);
    hasDoubt = true;
    await sleep(200 + 300 * Math.random());
  }
  entry.faults.push('could not be resumed');
};
