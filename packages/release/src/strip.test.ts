import { platformPackages } from './strip';

describe('platformPackages', () => {
  it('are those that the lock file limits to an architecture', () => {
    const packages = {
      '': {},
      'node_modules/koffi': { version: '3.0.0' },
      'node_modules/@koromix/koffi-linux-x64': { version: '3.0.0', cpu: ['x64'], os: ['linux'], optional: true },
    };
    expect(platformPackages({ packages })).toEqual(['node_modules/@koromix/koffi-linux-x64']);
  });
});
