/** Kinds, or versions of them, that have nothing to fail at, and why. All others show how they fail. */
export const CANNOT_FAIL: Readonly<Record<string, string>> = {
  cron: 'Its times are read when the workflow is activated.',
  errorTrigger: 'It passes on what the service gives it.',
  executeWorkflowTrigger: 'Version 1 passes on the items of the call.',
  formTrigger: 'What it gets was checked when it arrived.',
  interval: 'Its times are read when the workflow is activated.',
  manualTrigger: 'It passes its items on.',
  n8nTrainingCustomerMessenger: 'It sends nothing.',
  noOp: 'It passes its items on.',
  scheduleTrigger: 'Its times are read when the workflow is activated.',
  webhook: 'What it gets was checked when it arrived.',
};
