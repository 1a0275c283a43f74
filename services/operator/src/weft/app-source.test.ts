import { createHash } from 'node:crypto';
import { appSourceOf } from './app-source';

describe('the text of an app', () => {
  it('is YAML or JSON, with its name and the digest that Weft computes', () => {
    const found = appSourceOf('weftApp: 1\nname: erp\nlet: { b: &x 1, a: *x }\n');
    expect(found).toMatchObject({ state: 'found', source: { name: 'erp', document: { let: { b: 1, a: 1 } } } });
    expect(appSourceOf('{"weftApp":1,"name":"erp","let":{"b":1,"a":1}}')).toEqual(found);
    const sum = createHash('sha256').update('{"weftApp":1,"name":"erp","let":{"b":1,"a":1}}').digest('hex');
    expect(found).toMatchObject({ source: { digest: `sha256:${sum}` } });
  });

  it.each([
    ['a: [', 'The app is not valid YAML'],
    ['- 1', 'The app is not an object'],
    ['weftApp: 1', 'The app has no `name`'],
  ])('that is no app is described: %s', (text, message) => {
    expect(appSourceOf(text)).toMatchObject({ state: 'invalid', message: expect.stringContaining(message) });
  });
});
