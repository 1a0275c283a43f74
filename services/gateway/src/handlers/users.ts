import { readProjects } from '../identity/projects';
import { readUsers } from '../identity/users';
import type { ApiHandler } from './api-handler';
import { listAnswer } from './list-answer';

/** GET /users, an addition: all users, newest first; with `limit` or `cursor` one page. */
export const listUsers: ApiHandler = (request, clients) =>
  listAnswer(request, (page) => readUsers(page, request.principal, clients));

/** GET /projects, an addition: all projects, newest first; with `limit` or `cursor` one page. */
export const listProjects: ApiHandler = (request, clients) =>
  listAnswer(request, (page) => readProjects(page, request.principal, clients));
