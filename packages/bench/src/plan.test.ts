import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from './options';
import { LOAD_NAMES, planOf } from './plan';
import { OWN_CHECKOUT } from './stacks/subject';

describe('the plan of a run', () => {
  const plan = (...args: string[]) => planOf(readOptions(args, LOAD_NAMES));
  const names = ({ loads }: ReturnType<typeof plan>): string[] => loads.map(({ name }) => name);

  it('is everything on one stack of this checkout by default', () => {
    const all = plan();
    expect(['ceilings', ...names(all), 'engine']).toEqual(LOAD_NAMES);
    expect(all).toMatchObject({ subjects: [{ name: 'this', folder: OWN_CHECKOUT }], withCeilings: true });
    expect(all.withEngine).toBe(true);
    expect(all.reference).toBeUndefined();
  });

  it('compares this checkout with the other one, by loads alone', () => {
    const both = plan('--with', '/other');
    expect(both.subjects.map(({ name, folder }) => [name, folder])).toEqual([
      ['this', OWN_CHECKOUT],
      ['other', '/other'],
    ]);
    expect(both).toMatchObject({ reference: 'other', withCeilings: false, withEngine: false });
  });

  it('compares this checkout with an installed n8n, by all loads without a fixed rate', () => {
    const both = plan('--n8n', '/installed');
    expect(both.subjects).toEqual([
      { name: 'this', kind: 'weft', folder: OWN_CHECKOUT, replicas: {} },
      { name: 'n8n', kind: 'n8n', folder: '/installed', replicas: {} },
    ]);
    expect(both).toMatchObject({ reference: 'n8n', withCeilings: false, withEngine: false });
    expect(names(both)).toEqual(names(plan()).filter((name) => !['notified', 'steady', 'growing'].includes(name)));
  });

  it('compares numbers of replicas with one of each', () => {
    const scale = plan('--scale');
    expect(scale.subjects.map(({ replicas }) => replicas)).toEqual([
      {},
      { runner: 2 },
      { runner: 4 },
      { executions: 2 },
    ]);
    expect(scale.reference).toBe('1 runner');
    expect(names(scale)).toEqual(['burst', 'last-node-50', 'steady', 'growing']);
  });

  it('compares this checkout with mutual TLS with itself without', () => {
    const both = plan('--secured');
    expect(both.subjects.map(({ name, arrangement }) => [name, arrangement])).toEqual([
      ['secured', 'secured'],
      ['plain', 'plain'],
    ]);
    expect(both.reference).toBe('plain');
  });

  it('compares one stack of this checkout observed with itself unobserved', () => {
    const both = plan('--observed');
    expect(both.subjects.map(({ name, folder, arrangement }) => [name, folder, arrangement])).toEqual([
      ['observed', OWN_CHECKOUT, 'observed'],
    ]);
    expect(both).toMatchObject({ reference: 'unobserved', withCeilings: false, withEngine: false });
  });

  it('is only what --only names', () => {
    const some = plan('--only', 'http,ceilings', '--with', '/other');
    expect(names(some)).toEqual(['http']);
    expect(some).toMatchObject({ withCeilings: true, withEngine: false });
  });

  it('has no load that docs/performance.md does not explain', () => {
    const page = readFileSync(join(OWN_CHECKOUT, 'docs/performance.md'), 'utf8');
    expect(LOAD_NAMES.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
