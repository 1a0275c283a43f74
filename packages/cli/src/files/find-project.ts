import type { Weft } from '@weft/client';
import { CommandError, EXIT } from '../session/exit-code';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the id of the project that `--project` gives by id or name, or undefined without the option. A caller who
 * manages projects finds all of them by name, others the projects of which they are members.
 *
 * @throws CommandError if no project (exit code 4) or several (2) have the name.
 */
export const findProject = async (weft: Weft, text: string | undefined): Promise<string | undefined> => {
  // The service checks ids, which may also be those of users.
  if (text === undefined || ID.test(text)) return text;
  const { projects, permissions } = (await weft.call('getCaller')).data;
  const all = permissions.includes('projects:manage') ? (await weft.call('listProjects')).data : projects;
  const [only, other] = all.filter(({ name }) => name === text);
  if (only === undefined)
    throw new CommandError(
      `There is no project "${text}" that you can use by its name. Check it with weft project list, or use its id.`,
      EXIT.notFound,
    );
  if (other !== undefined) throw new CommandError(`Several projects are called "${text}". Use an id.`, EXIT.usage);
  return only.id;
};
