/** Kinds, or versions of them, that cannot fail, and the reason. All others have a case that fails. */
export const CANNOT_FAIL: Readonly<Record<string, string>> = {
  cron: 'Its schedule is read when the workflow is activated.',
  errorTrigger: 'It passes on its input.',
  executeWorkflowTrigger: 'Version 1 passes on the items of the call.',
  formTrigger: 'Its input was checked when it arrived.',
  githubTrigger: 'It passes on the events of the call.',
  interval: 'Its schedule is read when the workflow is activated.',
  manualTrigger: 'It passes its items on.',
  n8nTrainingCustomerMessenger: 'It sends nothing.',
  noOp: 'It passes its items on.',
  scheduleTrigger: 'Its schedule is read when the workflow is activated.',
  twilioTrigger: 'It passes on the events of the call.',
  'langchain.chatTrigger': 'Its input was checked when it arrived.',
  clickUpTrigger: 'It passes on the event of the call.',
  typeformTrigger: 'It passes on the response of the call.',
  webhook: 'Its input was checked when it arrived.',
  whatsAppTrigger: 'It passes on the events of the call.',
};
