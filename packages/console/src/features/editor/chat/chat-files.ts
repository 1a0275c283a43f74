import type { ChatFile } from '@weft/workflow-edit';

/** Bytes of the files of a message: they are part of the draft that is sent, in base64. */
const MAX_BYTES = 2_000_000;
const MAX_FILES = 10;

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new Error(`The browser cannot read ${file.name}.`));
    reader.readAsDataURL(file);
  });

/** Why these files cannot be sent with a message; undefined: they can. */
export const filesObstacle = (files: readonly File[]): string | undefined => {
  if (files.length > MAX_FILES) return `Choose at most ${MAX_FILES} files.`;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return bytes > MAX_BYTES
    ? 'The editor sends files of at most 2 MB with a message. The page of the chat takes larger ones.'
    : undefined;
};

/** Reads chosen files. @throws Error for one that cannot be read */
export const readChatFiles = (files: readonly File[]): Promise<readonly ChatFile[]> =>
  Promise.all(files.map(async (file) => ({ name: file.name, type: file.type, data: await base64Of(file) })));

/** Types of files as a file field takes them; undefined for any. */
export const acceptOf = (types: string): string | undefined => {
  const listed = types.split(',').map((type) => type.trim());
  return listed.some((type) => type === '*' || type === '*/*') ? undefined : listed.join(',');
};
