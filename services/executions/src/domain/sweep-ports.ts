import type { EndedExecution, ExecutionRecord } from './execution';

/** What the sweeper reads of an execution. */
export type Swept = Pick<ExecutionRecord, '_id' | 'fence' | 'gen' | 'crashes' | 'runCount' | 'runsAtCrash' | 'crashPolicy' | 'republished' | 'await'>;

/** Finds at most `most` executions that something is due for. @throws Unavailable */
export interface FindDue {
  readonly expired: (limit: Date, most: number) => Promise<readonly Swept[]>;
  readonly pastDeadline: (now: Date, most: number) => Promise<readonly Swept[]>;
  readonly dueAwaits: (now: Date, most: number) => Promise<readonly Swept[]>;
  readonly unclaimed: (now: Date, most: number) => Promise<readonly Swept[]>;
  readonly dueFollowUps: (now: Date, most: number) => Promise<readonly EndedExecution[]>;
}
