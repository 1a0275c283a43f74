import { rankKinds, type KindFit } from './rank-kinds';

const ANYWHERE: KindFit = { needsInput: false, needsOutput: false };

const kind = (name: string, label: string, description = '', isTrigger = false, outputs = ['main']) => ({
  kind: name,
  label,
  description,
  isTrigger,
  inputs: isTrigger ? [] : ['main'],
  outputs,
});
const kinds = [
  kind('set', 'Edit fields (Set)', 'Adds fields to items'),
  kind('httpRequest', 'HTTP request', 'Sends a request and reads the answer'),
  kind('webhook', 'Webhook', 'Starts a run for each HTTP request', true),
  kind('respondToWebhook', 'Respond to webhook', 'Answers the request of a webhook'),
  kind('stopAndError', 'Stop and error', 'Ends the run', false, []),
];
const names = (query: string, fit = ANYWHERE, uses: Readonly<Record<string, number>> = {}): string[] =>
  rankKinds(kinds, query, fit, new Map(Object.entries(uses))).map(({ kind: name, refused }) =>
    refused === undefined ? name : `${name}: ${refused}`,
  );

describe('the palette', () => {
  it('puts a prefix before a word, and a word before the description', () => {
    expect(names('webhook')).toEqual(['webhook', 'respondToWebhook']);
    expect(names('http')).toEqual(['httpRequest', 'webhook']);
    expect(names('request')).toEqual(['httpRequest', 'respondToWebhook', 'webhook']);
  });

  it('finds kinds by their name in files, and by several words', () => {
    expect(names('stopand')).toEqual(['stopAndError']);
    expect(names('set fields')).toEqual(['set']);
    expect(names('set nothing')).toEqual([]);
  });

  it('puts what is used more often first, then the alphabet', () => {
    expect(names('')).toEqual(['set', 'httpRequest', 'respondToWebhook', 'stopAndError', 'webhook']);
    expect(names('', ANYWHERE, { webhook: 2, set: 1 }).slice(0, 2)).toEqual(['webhook', 'set']);
  });

  it('begins with the triggers for the first node, until something is typed', () => {
    const first = { ...ANYWHERE, isFirst: true };
    expect(names('', first).slice(0, 2)).toEqual(['webhook', 'set']);
    expect(names('set', first)[0]).toBe('set');
  });

  it('lists kinds that do not fit last, with the reason', () => {
    expect(names('webhook', { needsInput: true, needsOutput: false })).toEqual([
      'respondToWebhook',
      'webhook: A trigger starts the workflow, so nothing leads to it.',
    ]);
    expect(names('stop', { needsInput: true, needsOutput: true })).toEqual([
      'stopAndError: It has no output, so nothing follows it.',
    ]);
  });

  it('offers only kinds that provide a wanted sub-node or accept it, and tools of kinds only as tools', () => {
    const provider = (name: string, type: 'ai_tool' | 'ai_languageModel', toolOf?: string) => ({
      ...kind(name, name, '', false, []),
      inputs: [],
      versions: [1, 2],
      provides: [{ type, until: name === 'oldModel' ? 1 : 2 }],
      ...(toolOf !== undefined && { toolOf }),
    });
    const agent = { ...kind('agent', 'agent'), accepts: [{ type: 'ai_tool' as const, label: 'tools' }] };
    const all = [
      ...kinds,
      agent,
      provider('model', 'ai_languageModel'),
      provider('oldModel', 'ai_languageModel'),
      provider('setTool', 'ai_tool', 'set'),
      provider('calculator', 'ai_tool'),
    ];
    const listed = (fit: Partial<KindFit>) =>
      rankKinds(all, '', { ...ANYWHERE, ...fit }, new Map()).map(({ kind: name }) => name);
    expect(listed({ provides: 'ai_languageModel' })).toEqual(['model']);
    expect(listed({ provides: 'ai_tool' })).toEqual(['calculator', 'setTool']);
    expect(listed({ accepts: 'ai_tool' })).toEqual(['agent']);
    expect(listed({})).not.toContain('setTool');
  });
});
