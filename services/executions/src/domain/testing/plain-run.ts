import type { NewExecution } from '../start/new-execution';
import type { VersionFacts } from '../state/workflow-version';

/** Facts of a version of a workflow without settings. */
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
  continuing: new Set(),
};

/** A webhook call of such a version. */
export const PLAIN_RUN: NewExecution = {
  workflowId: 'w',
  versionId: 'v',
  ownerId: 'o',
  startNode: 'S',
  mode: 'webhook',
  facts: PLAIN_FACTS,
  usePinData: true,
  input: {},
};
