/** The error of a port that cannot be listened on, with what to do. */
export const portTaken = (host: string, port: number, reason: string): Error =>
  new Error(`Port ${port} of ${host} cannot be listened on (${reason}). Set PORT to a free one.`);
