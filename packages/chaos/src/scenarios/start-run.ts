import { setTimeout as sleep } from 'node:timers/promises';
import { idIn } from '../load/id-in';
import type { Kind } from '../load/kind';
import type { Crowd, CrowdRequest, Reply } from './tenants/crowd';

/** A run requested by a client, with every answer that the client got. */
export interface Wanted {
  readonly kind: Kind;
  readonly index: number;
  /** Idempotency-Key of every attempt. */
  readonly key: string;
  readonly replies: Reply[];
  /** Ids in answers, errors included. */
  readonly ids: Set<string>;
  /** The successful answer. */
  accepted?: Reply;
  /** Error in a successful answer. */
  fault?: string;
}

/** User and address with which runs are started. */
export interface Ingress {
  readonly crowd: Crowd;
  readonly apiKey: string;
  readonly workflowIdOf: (kind: string) => string;
}

/** Time for which a client retries its start. */
const PATIENCE_MS = 90_000;
const MAX_PAUSE_MS = 2_000;

/** The request that starts a run of a kind. */
export const requestOf = (
  kind: Kind,
  index: number,
  key: string,
  { apiKey, workflowIdOf }: Pick<Ingress, 'apiKey' | 'workflowIdOf'>,
): CrowdRequest => {
  const isWebhook = kind.start.by === 'webhook';
  return {
    path: isWebhook ? `/webhook/${kind.name}` : `/api/v1/workflows/${workflowIdOf(kind.name)}/execute`,
    body: JSON.stringify(isWebhook ? kind.body(index) : { data: kind.body(index) }),
    headers: { 'idempotency-key': key, ...(isWebhook ? {} : { 'x-svc-api-key': apiKey }) },
  };
};

const faultOf = ({ start }: Kind, index: number, text: string): string | undefined => {
  const wanted = start.by === 'webhook' && start.answer !== undefined ? JSON.stringify(start.answer(index)) : undefined;
  return wanted === undefined || text === wanted ? undefined : `answered ${text.slice(0, 200)} in place of ${wanted}`;
};

/**
 * Starts a run as a careful client does: again under the same key after 429, after 503, and after a broken connection.
 * Every answer is stored.
 */
export const startRun = async (kind: Kind, index: number, key: string, ingress: Ingress): Promise<Wanted> => {
  const wanted: Wanted = { kind, index, key, replies: [], ids: new Set() };
  const request = requestOf(kind, index, key, ingress);
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until) {
    const reply = await ingress.crowd.send(request);
    wanted.replies.push(reply);
    if (reply.kind === 'answer') {
      const id = idIn(reply.text);
      if (id !== undefined) wanted.ids.add(id);
      if (reply.status >= 200 && reply.status < 300) {
        wanted.accepted = reply;
        const fault = faultOf(kind, index, reply.text);
        if (fault !== undefined) wanted.fault = fault;
        return wanted;
      }
      if (reply.status < 500 && reply.status !== 429) return wanted;
    }
    const waitMs = reply.kind === 'answer' ? Number(reply.retryAfter ?? '0') * 1_000 : 100;
    await sleep(Math.min(MAX_PAUSE_MS, waitMs) * (0.5 + 0.5 * Math.random()) + 50);
  }
  return wanted;
};

/** Milliseconds until the first answer, whatever it was. */
export const firstAnswerMs = ({ replies }: Wanted): number => {
  const [first] = replies;
  return first === undefined ? 0 : first.doneAt - first.sentAt;
};
