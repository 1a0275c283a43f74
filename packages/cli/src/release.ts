/** Major, minor and patch of this command line. It is that of the server it was made with. */
export const RELEASE = '0.2.0';
