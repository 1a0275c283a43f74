const KEY = 'weft-reloaded-for';

/** A release replaced the files of this page: load the new page, once, so that a lasting fault makes no loop. */
export const reloadOnMissingChunk = (): void => {
  window.addEventListener('unhandledrejection', ({ reason }) => {
    if (reason instanceof TypeError && /dynamically imported module/i.test(reason.message)) reloadOnce(reason.message);
  });
};

/** Reloads the page unless it was reloaded for the same reason. @returns false if it was */
export const reloadOnce = (reason: string): boolean => {
  if (sessionStorage.getItem(KEY) === reason) return false;
  sessionStorage.setItem(KEY, reason);
  location.reload();
  return true;
};
