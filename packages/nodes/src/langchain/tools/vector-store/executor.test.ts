import type { NodeExecutor } from '@weft/engine';
import { jsonOf, runTest, type TestResult } from '@weft/engine/testing';
import { KIND_TABLE } from '../../../descriptors/kinds';
import { NODE_REGISTRY } from '../../../executors';
import { scriptedModel } from '../../testing/scripted-model';

const TYPE = '@n8n/n8n-nodes-langchain.toolVectorStore';

const store: Omit<NodeExecutor, 'kind'> = {
  actsOutside: false,
  run: () => ({ kind: 'items', outputs: [] }),
  supplies: {
    ai_vectorStore: () => ({
      search: (query, limit) => Promise.resolve([{ pageContent: `${limit} about ${query}`, metadata: {}, score: 1 }]),
    }),
  },
};

const ask = async (input: string, links = ['Store>Tool@ai_vectorStore', 'Model>Tool@ai_languageModel']) => {
  const model = scriptedModel({ answers: ['They are striped.'] });
  const result: TestResult = await runTest({
    nodes: [
      ['Tool', 'tool', { type: TYPE, typeVersion: 1.1, parameters: { topK: 2 } }],
      ['Store', 'store'],
      ['Model', 'model'],
    ],
    links,
    executors: { store, model: model.executor },
    registry: NODE_REGISTRY,
    kinds: KIND_TABLE,
    input: [{ input }],
  });
  return { result, model };
};

describe('the tool that answers from a vector store', () => {
  it('gives the answer of its model, which has seen the closest documents and the question', async () => {
    const { result, model } = await ask('zebras');
    expect(jsonOf(result, 'Tool')).toEqual([{ response: 'They are striped.' }]);
    const prompt = JSON.stringify(model.calls[0]?.messages);
    expect(prompt).toContain('2 about zebras');
    expect(prompt).toContain('"role":"user","content":"zebras"');
  });

  it('fails without a vector store, and names itself', async () => {
    const { result } = await ask('x', ['Model>Tool@ai_languageModel']);
    expect(result.outcome).toMatchObject({ error: { message: 'No vector store is connected to "Tool"' } });
  });
});
