export { runService, type RunningService } from './run-service';
export { addCondition, unmetConditions, type Condition } from './conditions';
export { createIdlePolls, type IdlePolls, type IdlePollsOptions } from './idle-polls';
export { startLoop, type Loop, type LoopOptions } from './loop';
export { stopLimitMs } from './stop-limit';
export { untilAvailable } from './until-available';
export { runWorker, type WorkerProcess } from './run-worker';
export { RELEASE } from './release';
