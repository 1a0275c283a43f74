import { createWeft } from '@weft/client';
import { CommandError } from '../session/exit-code';
import { findProject } from './find-project';

const OWN = '01979d2e-7c40-7b52-9d0e-6a1f3c8b2d41';
const OTHER = '01979d2e-7c40-7b52-9d0e-6a1f3c8b2d42';
const project = (id: string, name: string) => ({ id, name, role: 'editor', closed: false });
const all = [project(OWN, 'Billing'), project(OTHER, 'Sales'), project('3', 'Twice'), project('4', 'Twice')];

/** A client of a member of Billing with these permissions. */
const weftOf = (...permissions: readonly string[]) => {
  const sent: string[] = [];
  const send = (input: string | URL | Request): Promise<Response> => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    sent.push(pathname);
    const data = pathname.endsWith('/me') ? { projects: all.slice(0, 1), permissions } : all;
    return Promise.resolve(Response.json({ data }));
  };
  return { sent, weft: createWeft({ baseUrl: 'http://127.0.0.1', fetch: send }) };
};

const refusal = async (promise: Promise<unknown>): Promise<readonly unknown[]> => {
  const error: unknown = await promise.catch((caught: unknown) => caught);
  return error instanceof CommandError ? [error.exitCode, error.message] : [error];
};

describe('a project of the command line', () => {
  it('is found by its name, also by an owner who is not a member of it', async () => {
    expect(await findProject(weftOf().weft, 'Billing')).toBe(OWN);
    expect(await findProject(weftOf('projects:manage').weft, 'Sales')).toBe(OTHER);
  });

  it('that is given by id, or not at all, needs no request', async () => {
    const { weft, sent } = weftOf();
    expect([await findProject(weft, OTHER), await findProject(weft, undefined), sent]).toEqual([OTHER, undefined, []]);
  });

  it('that the caller may not use is refused like one that does not exist', async () => {
    const { weft, sent } = weftOf();
    expect(await refusal(findProject(weft, 'Sales'))).toEqual([4, expect.stringContaining('no project "Sales"')]);
    expect(await refusal(findProject(weft, 'Nowhere'))).toEqual([4, expect.stringContaining('no project "Nowhere"')]);
    expect(sent.filter((path) => path.endsWith('/projects'))).toEqual([]);
  });

  it('whose name is not unique is refused with the advice to use an id', async () => {
    const found = await refusal(findProject(weftOf('projects:manage').weft, 'Twice'));
    expect(found).toEqual([2, expect.stringContaining('Use an id')]);
  });
});
