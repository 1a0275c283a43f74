import { checkDefinition } from '../definitions/check-definition';
import { readDefinition } from '@weft/node-catalogue';

const faultsOf = (kind: string, typeVersion: number, parameters: Record<string, string>): string[] =>
  checkDefinition(
    readDefinition({
      name: 'Test',
      connections: {},
      nodes: [{ name: 'Mine', type: `n8n-nodes-base.${kind}`, typeVersion, position: [0, 0], parameters }],
    }),
  ).map(({ message }) => message);

describe('Code, before it runs', () => {
  it('is accepted in JavaScript, in both modes and versions', () => {
    expect(faultsOf('code', 1, { jsCode: 'return []' })).toEqual([]);
    expect(faultsOf('code', 2, { jsCode: 'return []', language: 'javaScript', mode: 'runOnceForEachItem' })).toEqual(
      [],
    );
    expect(faultsOf('function', 2, { functionCode: 'return items' })).toEqual([]);
    expect(faultsOf('functionItem', 1, { functionCode: 'return item' })).toEqual([]);
  });

  it.each(['python', 'pythonNative'])('is accepted in %s', (language) => {
    expect(faultsOf('code', 2, { pythonCode: 'return []', language })).toEqual([]);
  });

  it('is rejected in a language that does not exist', () => {
    expect(faultsOf('code', 2, { jsCode: 'return []', language: 'ruby' })[0]).toContain(
      '"ruby", which is not supported',
    );
  });

  it('is rejected in a mode that does not exist', () => {
    expect(faultsOf('code', 2, { jsCode: 'return []', mode: 'sometimes' })[0]).toContain(
      '"sometimes", which is not supported',
    );
  });
});
