import { KIND_TABLE } from '../descriptors/kinds';
import { insteadOf } from './unknown-kinds';

const BASE = 'n8n-nodes-base.';

describe('what takes the place of an unknown kind', () => {
  it.each([
    [`${BASE}httpReqest`, 'Did you mean "httpRequest"?'],
    [`${BASE}Webhok`, 'Did you mean "webhook"?'],
    [`${BASE}asana`, 'httpRequest" node and a credential of type asanaApi.'],
    [`${BASE}slackTrigger`, 'slackApi'],
    [`${BASE}setTool`, 'Models can call only kinds with `usableAsTool`'],
    [`${BASE}asanaTool`, 'toolWorkflow" node. Call the API of the app'],
    ['@n8n/n8n-nodes-langchain.lmChatOpenAi', 'Weft has no node that does the same. Call the API'],
    ['@n8n/n8n-nodes-langchain.lmChatOpenAi', 'openAiApi'],
    ['@n8n/n8n-nodes-langchain.lmCohere', 'no node that does the same'],
    ['@n8n/n8n-nodes-langchain.chatTrigger', '"webhook"'],
    ['n8n-nodes-evolution-api.evolutionApi', '"n8n-nodes-evolution-api" cannot be installed'],
  ])('of %s: %s', (type, text) => {
    expect(insteadOf(type, KIND_TABLE.keys())).toContain(text);
  });

  it.each(['gong', 'googleBigQuery', 'x'.repeat(10_000), '', 'constructor'])(
    'of %.20s is not a kind that only resembles it',
    (name) => {
      expect(insteadOf(`${BASE}${name}`, KIND_TABLE.keys())).toBe(
        'The known kinds are listed at GET /api/v1/node-types.',
      );
    },
  );
});
