import type { AppDocument, AppKind, AppSend } from '@weft/app-model';
import { kindsOf } from '@weft/app-model/kinds';
import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { POLL_TIMES } from './clock-times';
import { NO_ATTRIBUTION, QUESTION_OPTIONS, questionParameters } from './question-parameters';

/** Difference of every kind that waits for responses. */
const LINKS =
  'The links of `sendAndWait` open a page with the button, ' +
  'so that programs that preview or scan links approve nothing.';

/** The kinds of an app, with the parameters that its blocks `poll` and `send` bring. */
export function kindsOfApp(app: AppDocument): KindDescriptor[] {
  return kindsOf(app).map((descriptor) => {
    const content = app.kinds[descriptor.kind];
    if (content === undefined) return descriptor;
    const [before, after] = [content.poll === undefined ? [] : [POLL_TIMES], sendParameters(content)];
    if (before.length + after.length === 0) return descriptor;
    return {
      ...descriptor,
      parameters: [...before, ...descriptor.parameters, ...after],
      ...(after.length === 0 ? {} : { differs: [...(descriptor.differs ?? []), LINKS] }),
    };
  });
}

function sendParameters({ operations = {} }: AppKind): readonly ParameterDescriptor[] {
  return Object.entries(operations).flatMap(([key, { send }]) =>
    send === undefined ? [] : parametersOf(shownWhenOf(key), send),
  );
}

function parametersOf(shownWhen: Record<string, string[]>, send: AppSend): readonly ParameterDescriptor[] {
  const { approve = 'Approve', disapprove = 'Decline', styles, html, options = [] } = send;
  const help = `Text above the buttons.${html === true ? ' It may contain HTML.' : ''}`;
  return [
    ...questionParameters({ shownWhen }, { approve, disapprove, hasStyles: styles === true }, help),
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen,
      help: 'Further settings.',
      fields: [NO_ATTRIBUTION, ...QUESTION_OPTIONS, ...options],
    },
  ];
}

/** The parameters that select an operation: those of `message.post` or `post`, none for `default`. */
function shownWhenOf(key: string): Record<string, string[]> {
  if (key === 'default') return {};
  const parts = key.split('.');
  const [operation = '', resource] = parts.reverse();
  return resource === undefined ? { operation: [operation] } : { resource: [resource], operation: [operation] };
}
