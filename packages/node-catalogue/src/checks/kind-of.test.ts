import { kindOf, typeOf } from './kind-of';

describe('kindOf', () => {
  it.each([
    ['weft-nodes-base.set', 'set'],
    ['n8n-nodes-base.set', 'set'],
    ['acme-nodes-base.httpRequest', 'httpRequest'],
    ['weft-nodes-base.start', 'manualTrigger'],
    ['@n8n/n8n-nodes-langchain.agent', 'langchain.agent'],
    ['weft-nodes-langchain.agent', 'langchain.agent'],
  ])('%s is %s', (type, kind) => {
    expect(kindOf(type)).toBe(kind);
  });

  it.each([
    '@n8n/n8n-nodes-langchain.',
    '@n8n.x/n8n-nodes-langchain.agent',
    'set',
    'nodes-base.set',
    'weft-nodes-base.',
    'weft-nodes-base.a.b',
    '',
  ])('%s has no kind', (type) => {
    expect(kindOf(type)).toBeUndefined();
  });
});

describe('typeOf', () => {
  it.each([
    ['set', 'n8n-nodes-base.set'],
    ['langchain.agent', '@n8n/n8n-nodes-langchain.agent'],
    ['@acme/n8n-nodes-x.y', '@acme/n8n-nodes-x.y'],
  ])('of the kind %s is %s', (kind, type) => {
    expect(typeOf(kind)).toBe(type);
  });
});
