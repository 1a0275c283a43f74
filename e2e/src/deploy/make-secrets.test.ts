import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root, SERVICES } from './services';

interface Secret {
  readonly metadata: { readonly name: string };
  readonly immutable?: boolean;
  readonly stringData: Readonly<Record<string, string>>;
}

const make = (): ReadonlyMap<string, Secret> => {
  const args = [join(root, 'deploy/k8s/make-secrets.mjs'), '--mongodb', 'mongodb://weft-mongodb:27017'];
  const { items }: { readonly items: readonly Secret[] } = JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8' }),
  );
  return new Map(items.map((secret) => [secret.metadata.name, secret]));
};
const masterKeyOf = (secrets: ReadonlyMap<string, Secret>): readonly string[] =>
  (secrets.get('weft-master-key')?.stringData['current'] ?? '').split(':');

describe('the secrets of deploy/k8s/make-secrets.mjs', () => {
  const [first, second] = [make(), make()];

  it('let no later call replace the master key: it is immutable, and the next one has another id', () => {
    expect(first.get('weft-master-key')?.immutable).toBe(true);
    const [[id, key = ''], [otherId]] = [masterKeyOf(first), masterKeyOf(second)];
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(id).not.toBe(otherId);
  });

  it('can be changed otherwise, so that service keys can be replaced, and hold a pair for each service', () => {
    const keys = first.get('weft-service-keys');
    expect(keys?.immutable).toBeUndefined();
    expect(Object.keys(keys?.stringData ?? {}).sort()).toEqual([...SERVICES, 'public'].sort());
  });
});
