import type { KindDescriptor } from '@weft/node-catalogue';
import { DESCRIPTION, nameParameter, SCHEMA_PARAMETERS, TOOL } from '../descriptor-parameters';

/** The user's code as a tool. */
export const toolCode: KindDescriptor = {
  ...TOOL,
  kind: 'langchain.toolCode',
  label: 'Code tool',
  description: 'Lets a model call JavaScript or Python, which runs in a sandbox as in a Code node.',
  versions: [1, 1.1, 1.2, 1.3],
  differs: ['`pattern`, `format` and `uniqueItems` of an input schema are shown to the model, but not checked.'],
  parameters: [
    nameParameter(1.1),
    DESCRIPTION,
    {
      name: 'language',
      label: 'Language',
      type: 'options',
      default: 'javaScript',
      options: [
        { value: 'javaScript', label: 'JavaScript' },
        { value: 'python', label: 'Python' },
      ],
      help: 'Language of the code.',
    },
    {
      name: 'jsCode',
      label: 'JavaScript',
      type: 'string',
      default: 'return query.toUpperCase()',
      editor: 'javascript',
      shownWhen: { language: ['javaScript'] },
      help: 'Returns a text or a number. The input of the call is in `query`: a text, or an object with a schema.',
    },
    {
      name: 'pythonCode',
      label: 'Python',
      type: 'string',
      default: 'return _query.upper()',
      editor: 'multiline',
      shownWhen: { language: ['python'] },
      help: 'Returns a text or a number. The input of the call is in `_query`: a text, or a dictionary with a schema.',
    },
    ...SCHEMA_PARAMETERS,
  ],
};
