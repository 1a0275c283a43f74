import type { Project } from '@weft/proto/projects';
import { projectText } from '../identity/projects';
import { dataAnswer } from '../middleware/write-answer';
import type { SettingsHandler } from './settings-handler';
import { MAX_SHOWN, PAGE_SIZE } from './users';

/** GET /settings/api/projects: the newest 1,000; to others than owners and admins those that they may change. */
export const listPageProjects: SettingsHandler = async ({ signedIn }, { identity }) => {
  const principal = await signedIn();
  const { role, projects: own = [] } = principal;
  const all: Project[] = [];
  let cursor = '';
  do {
    const page = await identity.projects.listProjects({ limit: PAGE_SIZE, cursor }, { principal });
    all.push(...page.projects);
    cursor = page.nextCursor;
  } while (cursor !== '' && all.length < MAX_SHOWN);
  const shown = role === 'owner' || role === 'admin' ? all : all.filter(({ id }) => own.includes(id));
  return dataAnswer(`[${shown.map(projectText).join(',')}]`);
};
