import { type EngineState, type HttpResponse, initialState, type NodePorts, type PreparedWorkflow } from '@weft/engine';
import type { WebhookResponse } from '@weft/nodes/descriptors';
import { callerSettings } from '../claims/caller';
import type { ClaimedExecution, WriteOutcome } from '../claims/claimed-execution';
import { checkAnswer } from '../end/end-run';
import { answerOf, type HaltedRun } from '../end/webhook-answer';

/** The single response of a run to the caller that may wait for it: from a node, or else from the end of the run. */
export interface CallerAnswer {
  /** Responds at once. @returns false if it was not stored */
  readonly respond: NodePorts['respond'];
  /** Sets the rules for responding at the end of the run, from this state and the loaded input. */
  readonly follow: (state: EngineState, input: Uint8Array) => void;
  /** Falls back to the rules of the start of the run if there are none. */
  readonly followStart: () => void;
  /** The response for a run that halted with this result; undefined: none, or it was given before. */
  readonly at: (run: HaltedRun) => HttpResponse | undefined;
  /** The response for a run that fails. */
  readonly ofFailure: () => HttpResponse | undefined;
}

/** @param send stores a response */
export const createCallerAnswer = (
  claim: ClaimedExecution,
  workflow: PreparedWorkflow,
  send: (answer: HttpResponse, tokenHash?: string) => Promise<WriteOutcome>,
): CallerAnswer => {
  let isGiven = claim.responded;
  let settings: WebhookResponse | undefined;
  const nodeIdOf = (name: string): string => workflow.nodes.get(name)?.definition.id ?? '';
  const at = (run: HaltedRun): HttpResponse | undefined =>
    isGiven ? undefined : answerOf(run, settings, nodeIdOf, Date.now());
  return {
    respond: async (answer, tokenHash) => {
      checkAnswer(answer);
      const written = await send(answer, tokenHash);
      isGiven = true;
      return written === 'applied';
    },
    follow: (state, input) => {
      settings = callerSettings({ ...claim, input }, workflow, state);
    },
    followStart: () => {
      settings ??= callerSettings(claim, workflow, initialState(claim.startNode));
    },
    at,
    ofFailure: () =>
      at({ outcome: { kind: 'error', error: { name: '', message: '' }, lastNode: undefined }, records: new Map() }),
  };
};
