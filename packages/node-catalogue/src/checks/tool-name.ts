/** Maximum length of a function's name at every service. */
const MAX_NAME = 64;

/**
 * The name of a tool's function, from the name of its node: every run of characters that services do not allow becomes
 * `_`. Empty if the name has no other characters.
 */
export function toolName(nodeName: string): string {
  const name = nodeName.replace(/[^a-zA-Z0-9_-]+/g, '_');
  // The text that is searched has at most 64 characters.
  return name.length > MAX_NAME ? name.slice(0, MAX_NAME).replace(/[_-]+$/, '') : name;
}
