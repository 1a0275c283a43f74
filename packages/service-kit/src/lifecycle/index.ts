export { runService, type RunningService } from './run-service';
export { startLoop, type Loop, type LoopOptions } from './loop';
export { runWorker, type WorkerProcess } from './run-worker';
