import { kindOf, typeOfKind } from './kind-of';

describe('kindOf', () => {
  it.each([
    ['weft-nodes-base.set', 'set'],
    ['n8n-nodes-base.set', 'set'],
    ['acme-nodes-base.httpRequest', 'httpRequest'],
    ['weft-nodes-base.start', 'manualTrigger'],
    ['@n8n/n8n-nodes-langchain.agent', 'langchain.agent'],
  ])('%s is %s', (type, kind) => {
    expect(kindOf(type)).toBe(kind);
  });

  it.each(['@n8n/n8n-nodes-langchain.', 'set', 'nodes-base.set', 'weft-nodes-base.', 'weft-nodes-base.a.b', ''])(
    '%s has no kind',
    (type) => {
      expect(kindOf(type)).toBeUndefined();
    },
  );
});

describe('typeOfKind', () => {
  it.each([
    ['set', 'n8n-nodes-base.set'],
    ['langchain.toolCode', '@n8n/n8n-nodes-langchain.toolCode'],
    ['@acme/n8n-nodes-acme.send', '@acme/n8n-nodes-acme.send'],
  ])('of %s is %s', (kind, type) => {
    expect(typeOfKind(kind)).toBe(type);
  });
});
