export { createFaultLog, type FaultLog } from './fault-log';
export { changeLevelOnSignal, createLogger, type Logger } from './logger';
