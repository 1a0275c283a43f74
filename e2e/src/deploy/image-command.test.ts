import { SERVICE_NODE_FLAGS } from '@weft/local-stack';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './services';

describe('the command of an image', () => {
  it('has the flags of Node that a local stack has', () => {
    const dockerfile = readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8');
    const command: unknown = JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? '');
    expect(command).toEqual(['node', '--enable-source-maps', ...SERVICE_NODE_FLAGS, 'service/dist/src/main.js']);
  });
});
