export { runService, type RunningService } from './run-service';
export { startLoop, type Loop, type LoopOptions } from './loop';
