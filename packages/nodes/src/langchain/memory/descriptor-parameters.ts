import type { ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../descriptors/build-parameters';

/** Help for the parameters that all memories have. */
export const MEMORY_HELP = {
  sessionKey: 'Names the conversation: calls with the same value share their messages.',
  sessionIdType: 'Source of the name of the conversation.',
  contextWindowLength:
    'Number of earlier messages of the user, with the answers to them, that the model gets; 0 for all.',
} as const;

export interface SessionParameters {
  /** First version with a choice of the source; the first one of all if absent. */
  readonly choiceSince?: number;
  /** First version that shows the expression for the session of a chat trigger. */
  readonly expressionSince: number;
}

/** The parameters that name the conversation. */
export function sessionParameters({ choiceSince, expressionSince }: SessionParameters): ParameterDescriptor[] {
  const since = choiceSince === undefined ? {} : { since: choiceSince };
  return [
    {
      name: 'sessionIdType',
      label: 'Session ID',
      type: 'options',
      default: 'fromInput',
      ...since,
      options: [choice('fromInput', 'Connected chat trigger'), choice('customKey', 'Define below')],
    },
    text('sessionKey', 'Session key', '={{ $json.sessionId }}', {
      since: expressionSince,
      shownWhen: { sessionIdType: ['fromInput'] },
    }),
    text('sessionKey', 'Key', '', { ...since, shownWhen: { sessionIdType: ['customKey'] } }),
  ];
}

/** The number of turns that the model gets. @param since first version with it; the first one of all if absent */
export const windowParameter = (since?: number): ParameterDescriptor => ({
  name: 'contextWindowLength',
  label: 'Context window',
  type: 'number',
  default: 5,
  ...(since === undefined ? {} : { since }),
});

/** Differences of all memories in databases. */
export const SHARED_DIFFERS: readonly string[] = [
  'At most the newest 1,000 messages and 512 KB of a conversation are read. ' +
    'Entries that are not messages are left out.',
  'The messages of one run of the node that uses the memory are stored together, and once: ' +
    'a run that continues after a crash does not repeat them.',
];
