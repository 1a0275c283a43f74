import { requireNode } from './require-node';

describe('the Node that runs a service', () => {
  it.each(['24.0.0', '24.22.3', '26.12.1'])('may be %s', (version) => expect(() => requireNode(version)).not.toThrow());

  it.each(['20.20.0', '22.11.0'])('may not be %s, and the message says which is needed', (version) =>
    expect(() => requireNode(version)).toThrow(`Node 24 or newer is required; this is Node ${version}.`),
  );

  it('may not read one key as another, and the message says which does not', () =>
    expect(() => requireNode('24.21.0', () => ({ '\\\\': 1 }))).toThrow(
      /^Node 24\.21\.0 reads some JSON keys wrongly .* Install Node 24\.22 or newer;/,
    ));
});
