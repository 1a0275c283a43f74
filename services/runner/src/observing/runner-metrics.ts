import { KIND_TABLE } from '@weft/nodes/descriptors';
import { OutboundError, type OutboundErrorCode, type OutboundHttp, type OutboundStreams } from '@weft/outbound';
import type { CodeAnswer, CodeRunner, Sandboxes } from '@weft/sandbox';
import { createCounter, createGauge, createHistogram, boundTo, OPERATION_BUCKETS } from '@weft/service-kit/metrics';
import type { ClaimOffered, ExecutionStore } from '../domain/claims/held/execution-store';
import { observeStream } from '../domain/streams/observe-stream';
import { PROCESS_NAMES, type ProcessName } from '../watchdog/process-name';

const slots = createGauge({
  name: 'weft_runner_slots',
  help: 'Execution slots: free, busy, and runs that wait in this process without a slot.',
  labels: { state: ['free', 'busy', 'sleeping'] },
});

/** Reports the slots of this process. @returns a function that removes them */
export const showSlots = (count: number, free: () => number, sleeping: () => number): (() => void) =>
  slots.read(() => [
    [{ state: 'free' }, free()],
    [{ state: 'busy' }, count - free()],
    [{ state: 'sleeping' }, sleeping()],
  ]);

const claims = createCounter({
  name: 'weft_claims_total',
  help: 'Executions that this runner tried to claim: won, refused because another has them, or without a response.',
  labels: { outcome: ['won', 'refused', 'failed'] },
});

/** Counts outcomes of claims. */
export const countClaims =
  (claim: ExecutionStore['claim']): ExecutionStore['claim'] =>
  async (...request) => {
    const [ids] = request;
    try {
      const outcome = await claim(...request);
      claims.inc({ outcome: 'won' }, outcome.claimed.length);
      claims.inc({ outcome: 'refused' }, Math.max(0, ids.length - outcome.claimed.length));
      return outcome;
    } catch (error) {
      claims.inc({ outcome: 'failed' }, ids.length);
      throw error;
    }
  };

/** Counts executions claimed from offers. */
export const countOffered =
  (claimOffered: ClaimOffered): ClaimOffered =>
  async (params) => {
    const offered = await claimOffered(params);
    claims.inc({ outcome: 'won' }, offered?.outcome.claimed.length ?? 0);
    return offered;
  };

const watchdogEnds = createCounter({
  name: 'weft_runner_watchdog_ends_total',
  help: 'Processes that a watchdog ended because one turn of a run blocked the engine for too long.',
  labels: { process: PROCESS_NAMES },
});

/** Counts ends of a process by its watchdog. */
export const countWatchdogEnds = (process: ProcessName, count = 1): void => watchdogEnds.inc({ process }, count);

const KINDS = [...KIND_TABLE.keys(), 'other'] as const;
const kindOf = boundTo<readonly [...string[], 'other']>([...KIND_TABLE.keys(), 'other']);
const nodeRuns = createHistogram({
  name: 'weft_node_run_seconds',
  help: 'Duration of a node run, including its retries and the waits between them, in seconds.',
  labels: { kind: KINDS, status: ['success', 'error'] },
  buckets: [...OPERATION_BUCKETS.slice(0, -1), 5, 30],
});

/**
 * Records a node run. A tool counts as its kind.
 * @param kind of its node, if in the catalogue
 * @param ms its duration
 */
export const noteNodeRun = (kind: string | undefined, status: 'success' | 'error', ms: number): void =>
  nodeRuns.observe({ kind: kindOf((KIND_TABLE.get(kind ?? '')?.toolOf ?? kind) || 'other'), status }, ms / 1_000);

const OUTCOMES = [
  'response',
  'refused',
  'timeout',
  'aborted',
  'too_large',
  'unreachable',
  'certificate',
  'protocol',
] as const;
type OutboundOutcome = (typeof OUTCOMES)[number];

const OUTCOME_OF: Readonly<Record<OutboundErrorCode, OutboundOutcome>> = {
  REFUSED: 'refused',
  TIMEOUT: 'timeout',
  ABORTED: 'aborted',
  TOO_LARGE: 'too_large',
  TOO_MANY_REDIRECTS: 'protocol',
  HOST_NOT_FOUND: 'unreachable',
  CONNECTION_REFUSED: 'unreachable',
  CONNECTION_LOST: 'unreachable',
  CERTIFICATE: 'certificate',
  PROTOCOL: 'protocol',
};

const outbound = createCounter({
  name: 'weft_outbound_total',
  help: 'HTTP requests of nodes: with a response, whatever the status, or the reason there was none.',
  labels: { outcome: OUTCOMES },
});

const countFailure = (error: unknown): void =>
  outbound.inc({ outcome: error instanceof OutboundError ? OUTCOME_OF[error.code] : 'protocol' });

/** Counts the requests of nodes: streamed ones when their body ends. */
export const countOutbound = (client: OutboundHttp & OutboundStreams): OutboundHttp & OutboundStreams => ({
  request: async (request) => {
    try {
      const response = await client.request(request);
      outbound.inc({ outcome: 'response' });
      return response;
    } catch (error) {
      countFailure(error);
      throw error;
    }
  },
  stream: async (request) => {
    try {
      return observeStream(await client.stream(request), {
        onEnd: (error) => (error === undefined ? outbound.inc({ outcome: 'response' }) : countFailure(error)),
      });
    } catch (error) {
      countFailure(error);
      throw error;
    }
  },
});

const sandboxes = createGauge({
  name: 'weft_sandbox',
  help: 'Code runs in a process, code runs waiting for one, and processes that could accept one.',
  labels: { state: ['busy', 'waiting', 'free'] },
});
const sandboxWait = createHistogram({
  name: 'weft_sandbox_wait_seconds',
  help: 'Time for which code waited for its process, in seconds.',
  labels: {},
  buckets: OPERATION_BUCKETS,
});
const killed = createCounter({
  name: 'weft_sandbox_killed_total',
  help: 'Code runs killed with their process, by reason: time limit, memory limit or crash.',
  labels: { why: ['time', 'memory', 'crash'] },
});

const noteAnswer = (answer: CodeAnswer): void => {
  if (answer.kind !== 'stopped') return;
  const { reason } = answer;
  if (reason === 'time' || reason === 'memory' || reason === 'crash') killed.inc({ why: reason });
};

/** Records how long code waited for its process. */
export const noteSandboxWait = (ms: number): void => sandboxWait.observe({}, ms / 1_000);

/** Counts runs of code. @param most maximum number of concurrent code processes */
export const countSandboxes = (of: Sandboxes['of'], most: number): Sandboxes['of'] => {
  let running = 0;
  sandboxes.read(() => [
    [{ state: 'busy' }, Math.min(most, running)],
    [{ state: 'waiting' }, Math.max(0, running - most)],
    [{ state: 'free' }, Math.max(0, most - running)],
  ]);
  return (owner): CodeRunner => {
    const runner = of(owner);
    return {
      run: async (job) => {
        running += 1;
        try {
          const answer = await runner.run(job);
          noteAnswer(answer);
          return answer;
        } finally {
          running -= 1;
        }
      },
    };
  };
};
