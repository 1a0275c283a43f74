import { ModelError } from '@weft/models';
import { NodeFailure } from '@weft/engine';
import { itemsOf, jsonOf } from '@weft/engine/testing';
import { type RootRun, runRoot } from '../../testing/run-root';
import { promptOf } from '../../testing/scripted-model';

const run = (over: Partial<RootRun> = {}) => runRoot({ kind: 'chainLlm', version: 1.9, ...over });
const messagesOf = async (over: Partial<RootRun>) => (await run(over)).models[0]?.calls.map(({ messages }) => messages);
const human = (fields: object) => ({ type: 'HumanMessagePromptTemplate', ...fields });

describe('the prompt', () => {
  it.each([
    [1, { input: 'Hi' }, {}],
    [1.1, { chat_input: 'Hi' }, {}],
    [1.3, { chatInput: 'Hi' }, {}],
    [1.3, {}, { prompt: 'Hi' }],
    [1.4, { chatInput: 'Hi' }, {}],
    [1.5, { guardrailsInput: 'Hi' }, { promptType: 'guardrails' }],
    [1.9, { chatInput: 'Hi' }, {}],
    [1.9, { a: 'Hi' }, { promptType: 'define', text: '={{ $json.a }}' }],
  ])('of version %s comes from %j with %j', async (version, item, parameters) => {
    expect(await messagesOf({ version, items: [item], parameters })).toEqual([[{ role: 'user', content: 'Hi' }]]);
  });

  it('is an object as JSON', async () => {
    expect(await messagesOf({ items: [{ chatInput: { a: 1 } }] })).toEqual([[{ role: 'user', content: '{"a":1}' }]]);
  });

  it.each([
    [1, {}],
    [1.4, {}],
    [1.9, { promptType: 'define', text: ' ' }],
  ])('of version %s that is empty fails the node before a call', async (version, parameters) => {
    const result = await run({ version, parameters });
    expect(result.outcome).toMatchObject({ kind: 'error', error: { message: 'No prompt specified' } });
    expect(result.models[0]?.calls).toHaveLength(0);
  });

  it('follows the messages of the node, with an image in the same message', async () => {
    const messageValues = [
      { message: 'Be brief {{ 1 }}' },
      human({ messageType: 'text', message: 'One?' }),
      { type: 'AIMessagePromptTemplate', message: 'Yes' },
      human({ messageType: 'imageUrl', imageUrl: 'https://x.y/cat.png?z' }),
    ];
    expect(
      await messagesOf({ items: [{ chatInput: 'And {this}?' }], parameters: { messages: { messageValues } } }),
    ).toEqual([
      [
        { role: 'system', content: 'Be brief {{ 1 }}' },
        { role: 'user', content: 'One?' },
        { role: 'assistant', content: 'Yes' },
        {
          role: 'user',
          content: [
            { type: 'fileUrl', mimeType: 'image/png', url: 'https://x.y/cat.png?z' },
            { type: 'text', text: 'And {this}?' },
          ],
        },
      ],
    ]);
  });

  it.each([
    [human({ messageType: 'imageUrl', imageUrl: 'file:///etc/passwd' }), 'The field "Image address" must be'],
    [human({ messageType: 'imageBinary' }), "a binary file 'data', but none was found"],
    [{ type: 'Other', message: 'x' }, 'The field "Role" must be'],
  ])('is refused with the message %j', async (message, text) => {
    const result = await run({ items: [{ chatInput: 'x' }], parameters: { messages: { messageValues: [message] } } });
    expect(result.outcome).toMatchObject({ kind: 'error', error: { message: expect.stringContaining(text) } });
  });
});

describe('the answer', () => {
  it('is the text of an item linked to its input, and never an expression', async () => {
    const result = await run({
      items: [{ chatInput: 'a' }, { chatInput: 'b' }],
      models: [{ answers: [' ={{ 1+1 }} ', '<b>'] }],
    });
    expect(itemsOf(result, 'Root')).toEqual([
      { json: { text: '={{ 1+1 }}' }, pairedItem: { item: 0 } },
      { json: { text: '<b>' }, pairedItem: { item: 1 } },
    ]);
  });

  it.each([
    [1.9, '{"a":1}', { a: 1 }],
    [1.6, '{"a":1}', { a: 1 }],
    [1.5, '{"a":1}', { text: '{"a":1}' }],
    [1.9, '[[1]]', { data: [1] }],
    [1.9, '5', { response: { text: 5 } }],
  ])('of version %s is %s as JSON if the settings of the model say so', async (version, answer, json) => {
    const models = [{ answers: [answer], answersJson: true }];
    expect(jsonOf(await run({ version, items: [{ chatInput: 'x' }], models }), 'Root')).toEqual([json]);
  });

  it('fails the node if it is not the JSON that the settings of the model ask for', async () => {
    const result = await run({ items: [{ chatInput: 'x' }], models: [{ answers: ['Hello'], answersJson: true }] });
    expect(result.outcome).toMatchObject({
      kind: 'error',
      error: { message: "Model output doesn't fit required format", description: expect.stringContaining('Hello') },
    });
  });

  it('ignores a parser that is attached but not used', async () => {
    const result = await run({
      items: [{ chatInput: 'x' }],
      models: [{ answers: ['y'] }],
      parser: { kind: 'outputParserItemList' },
    });
    expect(jsonOf(result, 'Root')).toEqual([{ text: 'y' }]);
  });
});

describe('the fallback model', () => {
  const failing = (error: Error, needsFallback = true) =>
    run({
      items: [{ chatInput: 'x' }],
      parameters: { needsFallback },
      models: [{ answers: [error] }, { answers: ['second'] }],
    });
  const modelFailure = (code: 'UNAVAILABLE' | 'BAD_REQUEST'): NodeFailure =>
    new NodeFailure(code, { cause: new ModelError(code, code) });

  it('answers if the first one fails', async () => {
    expect(jsonOf(await failing(modelFailure('UNAVAILABLE')), 'Root')).toEqual([{ text: 'second' }]);
  });

  it('is not asked after a bad request, or if it is not wanted', async () => {
    for (const result of [
      await failing(modelFailure('BAD_REQUEST')),
      await failing(modelFailure('UNAVAILABLE'), false),
    ]) {
      expect(result.outcome.kind).toBe('error');
      expect(result.models[1]?.calls).toHaveLength(0);
    }
  });

  it('must be attached', async () => {
    const result = await run({ items: [{ chatInput: 'x' }], parameters: { needsFallback: true } });
    expect(result.outcome).toMatchObject({ kind: 'error', error: { message: '"Root" has no fallback model' } });
  });
});

it('fails with a sentence if no model is attached', async () => {
  const result = await run({ items: [{ chatInput: 'x' }], models: [] });
  expect(result.outcome).toMatchObject({ kind: 'error', error: { message: '"Root" has no model' } });
});

it('never sees fields of an item as instructions about its form', async () => {
  const result = await run({
    items: [{ chatInput: '{error} {instructions} {{ $json.x }}' }],
    models: [{ answers: ['ok'] }],
  });
  expect(result.models[0]?.calls.map(promptOf)).toEqual(['{error} {instructions} {{ $json.x }}']);
});
