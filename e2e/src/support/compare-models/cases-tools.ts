import { modelNode } from '../agents';
import { node, type NodeFile } from '../workflows';
import { call, type CompareCase, PLACES, root, rootCase, say } from './case';

const agent = (version: number) => root('agent', version, { promptType: 'define', text: 'Use the tool.', options: {} });

const toolCases = (
  what: string,
  tool: NodeFile,
  name: string,
  input: Record<string, string | number>,
  intended: Readonly<Record<number, CompareCase['intended']>> = {},
): CompareCase[] =>
  [2.2, 3.1].map((version) =>
    rootCase(`${what} in agent ${version}`, agent(version), [call([name, input]), say('Done.')], {
      sub: [['ai_tool', tool]],
      // the description of the calculator is Weft's own
      ...(name === 'Calculator' ? { hasOwnPrompts: true as const } : {}),
      ...(intended[version] === undefined ? {} : { intended: intended[version] }),
    }),
  );

export const TOOL_CASES: readonly CompareCase[] = [
  ...toolCases('toolCalculator', modelNode('Calculator', 'toolCalculator', 1, {}), 'Calculator', { input: '2*(3+4)' }),
  ...toolCases('toolThink', modelNode('Think', 'toolThink', 1.1, { description: 'Think first.' }), 'Think', {
    input: 'Step by step.',
  }),
  ...toolCases(
    'toolCode with a schema',
    modelNode('Add', 'toolCode', 1.2, {
      description: 'Adds.',
      jsCode: 'return String(query.a + query.b)',
      specifyInputSchema: true,
      schemaType: 'fromJson',
      jsonSchemaExample: '{"a":1,"b":2}',
    }),
    'Add',
    { a: 2, b: 3 },
  ),
  ...toolCases(
    'toolHttpRequest',
    modelNode('Fetch', 'toolHttpRequest', 1.1, {
      toolDescription: 'Gets a city.',
      url: `${PLACES.tool}/cities/{city}`,
      placeholderDefinitions: { values: [{ name: 'city', description: 'name', type: 'string' }] },
    }),
    'Fetch',
    { city: 'paris' },
    { 3.1: { requests: "n8n's agent 3 cannot run this tool", runs: "n8n's agent 3 cannot run this tool" } },
  ),
  ...toolCases(
    'httpRequestTool',
    node('Get city', 'httpRequestTool', 4.2, 0, {
      toolDescription: 'Gets a city.',
      url: `=${PLACES.tool}/cities/{{ $fromAI('city', 'name of the city', 'string') }}`,
      options: {},
    }),
    'Get_city',
    { city: 'paris' },
  ),
  ...toolCases(
    'toolWorkflow',
    modelNode('Called', 'toolWorkflow', 2.2, {
      description: 'Calls a workflow.',
      source: 'database',
      workflowId: { __rl: true, mode: 'id', value: PLACES.called },
      workflowInputs: {
        mappingMode: 'defineBelow',
        value: { word: "={{ $fromAI('word', 'a word', 'string') }}" },
        matchingColumns: [],
        schema: [
          {
            id: 'word',
            displayName: 'word',
            required: false,
            defaultMatch: false,
            display: true,
            canBeUsedToMatch: true,
            type: 'string',
          },
        ],
        attemptToConvertTypes: false,
        convertFieldsToString: false,
      },
    }),
    'Called',
    { word: 'fox' },
  ),
  ...toolCases(
    'dateTimeTool',
    node('Date', 'dateTimeTool', 2, 0, {
      descriptionType: 'manual',
      toolDescription: 'Adds days to a date.',
      operation: 'addToDate',
      magnitude: '2026-01-01',
      timeUnit: 'days',
      duration: "={{ $fromAI('days', 'number of days', 'number') }}",
      options: {},
    }),
    'Date',
    { days: 3 },
  ),
  rootCase(
    'openAi 1.8: a message',
    modelNode(
      'Root',
      'openAi',
      1.8,
      {
        resource: 'text',
        operation: 'message',
        modelId: { __rl: true, mode: 'id', value: 'gpt-4o' },
        messages: { values: [{ role: 'system', content: 'Be brief.' }, { content: 'Hello' }] },
        options: { temperature: 0.3, maxTokens: 100 },
      },
      { credentials: { openAiApi: { id: 'openAiApi', name: 'openAiApi' } } },
    ),
    [say('Hi.')],
    { links: [], intended: { requests: "max_tokens at other addresses than OpenAI's, as in model nodes" } },
  ),
  rootCase(
    'openAi 1.8: JSON',
    modelNode(
      'Root',
      'openAi',
      1.8,
      {
        resource: 'text',
        operation: 'message',
        modelId: { __rl: true, mode: 'id', value: 'gpt-4o' },
        messages: { values: [{ content: 'Give JSON' }] },
        jsonOutput: true,
        options: {},
      },
      { credentials: { openAiApi: { id: 'openAiApi', name: 'openAiApi' } } },
    ),
    [say('{"a":1}')],
    { links: [], hasOwnPrompts: true },
  ),
];
