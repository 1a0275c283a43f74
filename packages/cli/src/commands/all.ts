import type { Groups } from '../program';
import { API_COMMAND } from './api-command';
import { APP_COMMANDS } from './app-commands';
import { APP_DRAFT_COMMAND } from './app-draft-command';
import { APPLY_COMMANDS } from './apply-commands';
import type { CommandSpec } from './command';
import { completionCommands } from './completion';
import { EXECUTION_COMMANDS } from './execution-commands';
import { LOG_COMMANDS } from './log-commands';
import { NOUN_COMMANDS } from './noun-commands';
import { RUN_COMMAND } from './run';
import { SESSION_COMMANDS } from './session-commands';
import { WORKFLOW_COMMANDS } from './workflow-commands';

/** Summaries of the groups, in the order of help. */
export const GROUPS: Groups = {
  context: 'Instances and keys that this machine knows',
  workflow: 'Workflows',
  execution: 'Executions',
  app: 'Apps: node kinds that data files define',
  credential: 'Credentials and their grants',
  variable: 'Variables',
  table: 'Data tables and their rows',
  conversation: 'Stored conversations of workflows',
  project: 'Projects and their members',
  user: 'Users and invitations',
  key: 'API keys of the caller',
  schedule: 'Due times and backfills',
  delivery: 'Webhook calls that could not be started',
  subscription: 'Subscriptions to events',
  audit: 'The audit log',
};

/** Every command. */
export const COMMANDS: readonly CommandSpec[] = [
  ...SESSION_COMMANDS,
  ...APPLY_COMMANDS,
  ...WORKFLOW_COMMANDS,
  RUN_COMMAND,
  ...EXECUTION_COMMANDS,
  ...LOG_COMMANDS,
  ...APP_COMMANDS,
  APP_DRAFT_COMMAND,
  ...NOUN_COMMANDS,
  API_COMMAND,
  ...completionCommands(() => COMMANDS),
];
