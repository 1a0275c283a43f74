import { NodeFailure } from '@weft/engine';
import { LIMITS, limitSentence } from '@weft/service-kit/limits';

const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * A path in the form in which the file area stores it: names joined by `/`. A slash or `./` at the start, doubled
 * slashes and the kind of slash do not count.
 * @throws NodeFailure for a path that leads out of the area, or names no file
 */
export function normalizePath(stated: string, itemIndex: number): string {
  const path = withinArea(stated.replaceAll('\\', '/'), stated, itemIndex);
  if (path === '' || stated.endsWith('/') || stated.endsWith('\\'))
    throw new NodeFailure(`The path "${shown(stated)}" names no file.`, { itemIndex });
  return path;
}

/** A pattern for paths in the same form; its backslashes, which may be escapes, stay. @throws NodeFailure as above */
export function normalizePattern(stated: string, itemIndex: number): string {
  const drive = /^[a-z]:[\\/]/i.test(stated);
  const pattern = withinArea(drive ? stated.replaceAll('\\', '/') : stated, stated, itemIndex);
  if (pattern === '') throw new NodeFailure('The file selector is empty.', { itemIndex });
  return pattern;
}

function withinArea(text: string, stated: string, itemIndex: number): string {
  if (text.length > LIMITS.workflowFilePath.max)
    throw new NodeFailure(limitSentence(LIMITS.workflowFilePath, text.length), { itemIndex });
  if (CONTROL.test(text))
    throw new NodeFailure(`The path "${shown(stated)}" contains a control character.`, { itemIndex });
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..'))
    throw new NodeFailure(`The path "${shown(stated)}" leads outside the files of the workflow.`, {
      itemIndex,
      description: 'Use a path without "..".',
    });
  return parts.join('/');
}

const shown = (path: string): string => JSON.stringify(path.slice(0, 200)).slice(1, -1);
