import type { Project } from '@weft/proto/projects';
import type { Principal } from '@weft/service-kit/auth';
import type { Clients } from '../clients';
import { quote } from '../http/json-text';
import { projectText } from '../identity/projects';
import { dataAnswer } from '../middleware/write-answer';
import type { SettingsHandler } from './settings-handler';
import { readShown } from './shown-lists';

const readProjects = (principal: Principal, { identity }: Clients): Promise<readonly Project[]> =>
  readShown(async (page) => {
    const { projects, nextCursor } = await identity.projects.listProjects(page, { principal });
    return { entries: projects, nextCursor };
  });

/** GET /settings/api/projects: the newest 1,000; for users other than owners and admins only those they may change. */
export const listPageProjects: SettingsHandler = async ({ signedIn }, clients) => {
  const principal = await signedIn();
  const { role, projects: own = [] } = principal;
  const all = await readProjects(principal, clients);
  const shown = role === 'owner' || role === 'admin' ? all : all.filter(({ id }) => own.includes(id));
  return dataAnswer(`[${shown.map(projectText).join(',')}]`);
};

/** GET /settings/api/project-names: id and name of the newest 1,000, to which credentials can be granted. */
export const listPageProjectNames: SettingsHandler = async ({ signedIn }, clients) => {
  const all = await readProjects(await signedIn(), clients);
  return dataAnswer(`[${all.map(({ id, name }) => `{"id":${quote(id)},"name":${quote(name)}}`).join(',')}]`);
};
