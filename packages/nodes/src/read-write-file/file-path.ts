import { NodeFailure } from '@weft/engine';
import { LIMITS, limitSentence } from '@weft/service-kit/limits';

const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * A path in the form in which the file area stores it: names joined by `/`. A slash or `./` at the start, doubled
 * slashes and backslashes are normalized.
 * @throws NodeFailure for a path that leads out of the area or is not a file
 */
export function normalizePath(given: string, itemIndex: number): string {
  const path = withinArea(given.replaceAll('\\', '/'), given, itemIndex);
  if (path === '' || given.endsWith('/') || given.endsWith('\\'))
    throw new NodeFailure(`The path "${shown(given)}" has no file name.`, { itemIndex });
  return path;
}

/** A pattern for such paths. Its backslashes are kept because they may be escapes. @throws NodeFailure as above */
export function normalizePattern(given: string, itemIndex: number): string {
  const drive = /^[a-z]:[\\/]/i.test(given);
  const pattern = withinArea(drive ? given.replaceAll('\\', '/') : given, given, itemIndex);
  if (pattern === '') throw new NodeFailure('The file selector is empty.', { itemIndex });
  return pattern;
}

function withinArea(text: string, given: string, itemIndex: number): string {
  if (text.length > LIMITS.workflowFilePath.max)
    throw new NodeFailure(limitSentence(LIMITS.workflowFilePath, text.length), { itemIndex });
  if (CONTROL.test(text))
    throw new NodeFailure(`The path "${shown(given)}" contains a control character.`, { itemIndex });
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..'))
    throw new NodeFailure(`The path "${shown(given)}" leads outside the files of the workflow.`, {
      itemIndex,
      description: 'Use a path without "..".',
    });
  return parts.join('/');
}

const shown = (path: string): string => JSON.stringify(path.slice(0, 200)).slice(1, -1);
