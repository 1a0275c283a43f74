/** The oldest major version of Node whose interfaces the services use. */
const OLDEST_NODE = 24;
const FIX = 'Install Node 24.22 or newer; "npm start" fetches it.';

/** Refuses a Node that is too old or misreads JSON, instead of failing later without naming it. @throws Error */
export const requireNode = (version: string, parse: (text: string) => object = JSON.parse): void => {
  if (Number(version.split('.')[0]) < OLDEST_NODE)
    throw new Error(`Node ${OLDEST_NODE} or newer is required; this is Node ${version}. ${FIX}`);
  if (misreadsKeys(parse))
    throw new Error(`Node ${version} reads some JSON keys wrongly (nodejs/node issue 63785). ${FIX}`);
};

/**
 * Until 24.22 the parser of V8 reads the key of the second text as that of the first: one user's data changes how
 * another's is read (https://github.com/nodejs/node/issues/63785).
 */
const misreadsKeys = (parse: (text: string) => object): boolean => {
  parse(String.raw`{"\\\\":1}`);
  return !('\\n' in parse(String.raw`{"\\n":1}`));
};
