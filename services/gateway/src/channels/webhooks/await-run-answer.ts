import { type StartedExecution, StartWait } from '@weft/proto/executions';
import { remainingMs } from '@weft/service-kit/context';
import { InternalError } from '@weft/service-kit/errors';
import type { ServerResponse } from 'node:http';
import type { Clients } from '../../clients';
import { WebhookAnswerLate } from '../../errors';
import { writeRunAnswer } from './write-run-answer';

const LIMIT_MS = 30_000;
/** Left of the request's time when a wait for the run's answer gives up: enough to still tell the caller. */
const WAIT_MARGIN_MS = 1_000;

/** How calls that wait for the answer of a run are sent. */
export const WAITING_CALL = { waits: true, deadlineMs: LIMIT_MS } as const;

/** What such a call asks for: the run's own answer, within the time left for the request. */
export const responseOptions = (): { wait: StartWait; waitMs: number } => ({
  wait: StartWait.START_WAIT_RESPONSE,
  waitMs: Math.max(1, remainingMs(LIMIT_MS) - WAIT_MARGIN_MS),
});

/** Writes the answer that came of it. @throws WebhookAnswerLate if the run has given none yet */
export const writeAwaitedAnswer = async (
  response: ServerResponse,
  run: StartedExecution | undefined,
  clients: Clients,
): Promise<void> => {
  if (run === undefined)
    throw new InternalError(new Error('A call that waits for a run was answered without a result.'));
  if (run.response === undefined) throw new WebhookAnswerLate(run.executionId);
  await writeRunAnswer(response, run.executionId, run.response, clients);
};
