import type { VersionFacts } from '../workflow-version';

/** What a version of a workflow whose settings state nothing says of its runs. */
export const PLAIN_FACTS: VersionFacts = {
  name: '',
  crashPolicy: 'resume',
  errorTrigger: '',
  callTrigger: '',
  errorWorkflow: '',
  keeps: { success: true, error: true, manual: true },
  callerPolicy: 'any',
  callers: [],
  credentialsOf: new Map(),
  kindOf: new Map(),
};
