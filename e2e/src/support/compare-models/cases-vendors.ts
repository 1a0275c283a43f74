import type { ScriptStep } from '@weft/models/testing';
import { modelNode } from '../agents';
import type { NodeFile } from '../workflows';
import { call, type CompareCase, json, say, shout } from './case';

type Parameters = Readonly<Record<string, unknown>>;

/** A node that calls a model itself, named `Root`. */
const vendor = (kind: string, version: number, credential: string, parameters: Parameters): NodeFile =>
  modelNode('Root', kind, version, parameters, { credentials: { [credential]: { id: credential, name: credential } } });

const located = (value: string): Parameters => ({ __rl: true, mode: 'id', value });
const asked = (content: string, more: readonly object[] = []): Parameters => ({
  messages: { values: [{ content, role: 'user' }, ...more] },
});

const claude = (parameters: Parameters): NodeFile =>
  vendor('anthropic', 1, 'anthropicApi', { modelId: located('claude-sonnet-4-5'), options: {}, ...parameters });
const gemini = (version: number, parameters: Parameters): NodeFile =>
  vendor('googleGemini', version, 'googlePalmApi', {
    modelId: located('models/gemini-2.5-flash'),
    options: {},
    ...parameters,
  });
const ollama = (parameters: Parameters): NodeFile =>
  vendor('ollama', 1, 'ollamaApi', { modelId: located('llama3.2'), options: {}, ...parameters });
const openAi = (version: number, parameters: Parameters): NodeFile =>
  vendor('openAi', version, 'openAiApi', { modelId: located('gpt-4o'), options: {}, ...parameters });

/** A case of a node without tools. */
const plain = (
  name: string,
  root: NodeFile,
  steps: readonly ScriptStep[],
  more: Partial<CompareCase> = {},
): CompareCase => ({ name, nodes: [root], steps, ...more });

/** A case of a node with the tool `Shout`. */
const withTool = (
  name: string,
  root: NodeFile,
  steps: readonly ScriptStep[],
  more: Partial<CompareCase> = {},
): CompareCase => ({
  name,
  nodes: [root, shout],
  links: [['Shout', 'ai_tool', 'Root']],
  steps,
  ...more,
});

const HELLO = asked('Hello?');
const LOUD = asked('Shout hello.');
const TWO = asked('One', [
  { content: ' ', role: 'user' },
  { content: 'Two', role: 'user' },
]);
const shoutOnce = [call(['Shout', { input: 'hello' }]), say('HELLO.')] as const;
const refused: ScriptStep = { error: { status: 400, message: 'The prompt is not allowed.' } };

const UNTIL_ANSWER = 'tools are called until the model answers; n8n asks once more, and gives an empty text';

/** Nodes of vendors, which call a model themselves. */
export const VENDOR_CASES: readonly CompareCase[] = [
  plain('anthropic: a message', claude(HELLO), [say('Hi!')]),
  plain('anthropic: the whole response', claude({ ...HELLO, simplify: false }), [say('Hi!')]),
  plain(
    'anthropic: options',
    claude({
      ...HELLO,
      options: {
        system: 'Be brief.',
        maxTokens: 50,
        temperature: 0.5,
        topK: 4,
        webSearch: true,
        maxUses: 2,
        allowedDomains: 'a.example, b.example',
        includeMergedResponse: true,
      },
    }),
    [say('Hi!')],
  ),
  plain('anthropic: messages without text', claude(TWO), [say('Hi!')], {
    intended: { requests: 'messages of one role are parts of one message' },
  }),
  plain('anthropic: no prompt', claude(asked('')), [say('Hi!')]),
  plain('anthropic: a refused request', claude(HELLO), [refused]),
  withTool('anthropic: a tool', claude(LOUD), shoutOnce),
  withTool('anthropic: rounds of tools', claude({ ...LOUD, options: { maxToolsIterations: 2 } }), [
    call(['Shout', { input: 'hello' }]),
  ]),
  plain(
    'anthropic: an image at an address',
    claude({ resource: 'image', operation: 'analyze', imageUrls: 'https://files.example/cat.png' }),
    [say('A cat.')],
  ),
  plain(
    'anthropic: documents at addresses',
    claude({
      resource: 'document',
      operation: 'analyze',
      text: 'Compare.',
      documentUrls: 'https://files.example/a.pdf, https://files.example/b.pdf',
      simplify: false,
      options: { maxTokens: 9 },
    }),
    [say('Equal.')],
  ),
  plain('ollama: a message', ollama(HELLO), [say('Hi!')]),
  plain('ollama: the whole response', ollama({ ...HELLO, simplify: false }), [say('Hi!')]),
  plain(
    'ollama: options',
    ollama({
      ...HELLO,
      options: {
        system: 'Be brief.',
        temperature: 0.5,
        num_ctx: 2048,
        num_predict: 9,
        seed: 7,
        stop: 'a, b',
        think: false,
      },
    }),
    [say('Hi!')],
  ),
  plain('ollama: JSON', ollama({ ...HELLO, options: { format: 'json', keep_alive: '5m' } }), [json({ a: 1 })], {
    intended: { requests: 'format and keep_alive are where the server reads them' },
  }),
  withTool('ollama: a tool', ollama(LOUD), shoutOnce),
  withTool(
    'ollama: two rounds of tools',
    ollama(LOUD),
    [call(['Shout', { input: 'hello' }]), call(['Shout', { input: 'more' }]), say('MORE.')],
    { intended: { requests: UNTIL_ANSWER, items: UNTIL_ANSWER, runs: UNTIL_ANSWER } },
  ),
  plain('ollama: a refused request', ollama(HELLO), [refused]),
  ...[1, 1.1, 1.2].flatMap((version) => [
    plain(`googleGemini ${version}: a message`, gemini(version, HELLO), [say('Hi!')]),
    withTool(`googleGemini ${version}: a tool`, gemini(version, LOUD), shoutOnce),
  ]),
  plain(
    'googleGemini 1.1: options',
    gemini(1.1, {
      ...HELLO,
      simplify: false,
      options: { systemMessage: 'Be brief.', maxOutputTokens: 50, temperature: 0.5, includeMergedResponse: true },
    }),
    [say('Hi!')],
  ),
  plain('googleGemini 1.1: JSON', gemini(1.1, { ...HELLO, jsonOutput: true }), [json({ a: 1 })]),
  withTool('googleGemini 1.1: rounds of tools', gemini(1.1, { ...LOUD, options: { maxToolsIterations: 2 } }), [
    call(['Shout', { input: 'hello' }]),
  ]),
  plain('openAi 1.8: options', openAi(1.8, { ...HELLO, options: { temperature: 0.5, topP: 0.9, n: 1 } }), [say('Hi!')]),
  withTool('openAi 1.8: a tool', openAi(1.8, LOUD), shoutOnce),
  plain(
    'openAi 1.8: an image at an address',
    openAi(1.8, {
      resource: 'image',
      operation: 'analyze',
      text: 'What is it?',
      imageUrls: 'https://files.example/a.png',
    }),
    [say('A cat.')],
  ),
  ...[2, 2.3].flatMap((version) => {
    const prompt = { responses: { values: [{ role: 'user', type: 'text', content: 'Shout hello.' }] } };
    return [
      plain(`openAi ${version}: a message`, openAi(version, prompt), [say('Hi!')]),
      withTool(`openAi ${version}: a tool`, openAi(version, prompt), shoutOnce),
    ];
  }),
  plain(
    'openAi 2: files at the service',
    openAi(2, {
      responses: {
        values: [
          { role: 'user', type: 'text', content: 'Compare.' },
          { role: 'user', type: 'image', imageType: 'fileId', fileId: 'file-1' },
          { role: 'user', type: 'file', fileType: 'fileId', fileId: 'file-2' },
        ],
      },
      simplify: false,
    }),
    [say('Equal.')],
  ),
];
