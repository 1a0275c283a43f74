import { storeAnswer, type SentAnswer } from './store-answer';
import type { Failure } from './execution';
import { reportWrite } from './run-writes';
import { storeStep, type Step, type StepPorts } from './store-step';
import type { Verdict } from './verdict';

/** The end of one execution. */
export interface Report extends Step {
  /** Checkpoints stored before. */
  readonly checkpoint: number;
  /** Absent: success. */
  readonly failure?: Failure;
  readonly answer?: SentAnswer;
}

/** Ends an execution. @throws Unavailable */
export type ReportExecution = (report: Report) => Promise<Verdict>;

/** Ends executions; an answer made from the end counts only if none was stored before. */
export const createReportExecution =
  (ports: StepPorts): ReportExecution =>
  async (report) => {
    const { executionId, fence, checkpoint, failure } = report;
    const answer = report.answer === undefined ? undefined : await storeAnswer(executionId, fence, report.answer, ports.chunks);
    return storeStep(
      report,
      (progress, found) => {
        const end = { fence, checkpoint, ...(failure === undefined ? {} : { failure }), ...(answer === undefined || found?.hasAnswer === true ? {} : { answer }) };
        return reportWrite(end, progress, new Date(ports.clock()), ports.retentionMs);
      },
      ports,
    );
  };
