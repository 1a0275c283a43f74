/** The oldest major version of Node whose interfaces the services use. */
const OLDEST_NODE = 24;

/** Refuses a Node that is too old, instead of failing later in a place that does not name it. @throws Error */
export const requireNode = (version: string): void => {
  if (Number(version.split('.')[0]) >= OLDEST_NODE) return;
  throw new Error(`Node ${OLDEST_NODE} or newer is required; this is Node ${version}. "npm start" fetches one.`);
};
