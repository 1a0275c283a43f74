import { jsonOf, runTest } from '@weft/engine/testing';
import { type ScriptStep, TEST_KEY } from '@weft/models/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { type ModelWorld, openModelWorld } from '../models/testing/run-model';
import { askingTest, callWeather, say } from '../testing/ask-node';

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world.close());

const testOf = (steps: readonly ScriptStep[], parameters: JsonObject, version = 1.2) =>
  askingTest(world, steps, {
    kind: 'googleGemini',
    version,
    credentialType: 'googlePalmApi',
    credential: { apiKey: TEST_KEY, host: world.server.url },
    parameters: {
      modelId: { value: 'models/gemini-2.5-flash' },
      messages: { values: [{ content: '=Say {{ $json.n }}' }] },
      ...parameters,
    },
  });

describe('the Gemini node', () => {
  it('gives the last answer as it is once the rounds of tools are used up', async () => {
    const result = await runTest(
      testOf([callWeather('Rome'), callWeather('Oslo')], { options: { maxToolsIterations: 2 } }),
    );
    expect(JSON.stringify(jsonOf(result, 'Ask'))).toContain('functionCall');
    expect(world.server.seen).toHaveLength(2);
  });

  it('sends its options, and built-in tools next to attached ones', async () => {
    const options = {
      systemMessage: 'Be brief',
      maxOutputTokens: 50,
      candidateCount: 2,
      temperature: 0,
      topK: 3,
      thinkingBudget: 0,
    };
    const builtInTools = {
      googleSearch: true,
      googleMaps: { latitude: 52.5, longitude: '13.4' },
      urlContext: false,
      fileSearch: { fileSearchStoreNames: '["fileSearchStores/a"]', metadataFilter: 'a="b"' },
      codeExecution: true,
    };
    await runTest(testOf([say('Hi')], { jsonOutput: true, options, builtInTools }));
    expect(world.server.last().body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Say 1' }] }],
      systemInstruction: { parts: [{ text: 'Be brief' }] },
      tools: [
        { functionDeclarations: [expect.objectContaining({ name: 'weather' })] },
        { googleSearch: {} },
        { googleMaps: {} },
        { fileSearch: { fileSearchStoreNames: ['fileSearchStores/a'], metadataFilter: 'a="b"' } },
        { codeExecution: {} },
      ],
      toolConfig: { retrievalConfig: { latLng: { latitude: 52.5, longitude: 13.4 } } },
      generationConfig: {
        maxOutputTokens: 50,
        candidateCount: 2,
        temperature: 0,
        topK: 3,
        responseMimeType: 'application/json',
        thinkingConfig: { thinkingBudget: 0 },
      },
    });
  });

  it('offers only code as a built-in tool in version 1', async () => {
    const parameters = { options: { codeExecution: true }, builtInTools: { googleSearch: true } };
    await runTest(testOf([say('Hi')], parameters, 1));
    expect(world.server.last().body).toMatchObject({
      tools: [{ functionDeclarations: [{}] }, { codeExecution: {} }],
    });
  });

  it('keeps the order and the roles of messages, without empty ones', async () => {
    const values = [
      { content: 'One' },
      { content: 'Two', role: 'model' },
      { content: ' ' },
      { content: 'Three', role: 'user' },
    ];
    await runTest(testOf([say('Hi')], { messages: { values } }));
    expect(world.server.last().body).toMatchObject({
      contents: [
        { role: 'user', parts: [{ text: 'One' }] },
        { role: 'model', parts: [{ text: 'Two' }] },
        { role: 'user', parts: [{ text: 'Three' }] },
      ],
    });
  });

  it.each(['{', '"a"', '[1]'])('refuses %s as the names of file stores', async (fileSearchStoreNames) => {
    const { outcome } = await runTest(testOf([], { builtInTools: { fileSearch: { fileSearchStoreNames } } }));
    expect(outcome).toMatchObject({
      kind: 'error',
      error: { message: 'The names of file stores must be a JSON list of strings' },
    });
    expect(world.server.seen).toHaveLength(0);
  });
});
