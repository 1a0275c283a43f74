export { BackUpError, type BackUpPlan, type OwnerPlan, type PartsPlan } from './plan';
export { createBackUp, type BackUpFigures, type BackUpTask } from './create-back-up';
export { restoreBackUp, verifyBackUp, type RestoreFigures } from './restore-back-up';
export { runBackUp, type BackUpSubject } from './run-back-up';
