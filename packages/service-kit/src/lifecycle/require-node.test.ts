import { requireNode } from './require-node';

describe('the version of Node that runs a service', () => {
  it.each(['24.0.0', '24.21.0', '26.1.0'])('may be %s', (version) => expect(() => requireNode(version)).not.toThrow());

  it.each(['20.20.0', '22.11.0'])('may not be %s, and the message says which is needed', (version) =>
    expect(() => requireNode(version)).toThrow(`Node 24 or newer is required; this is Node ${version}.`),
  );
});
