/** Minimum length of a password, the same as the server's and the hosted backend's default. */
export const minPasswordLength = 8;

/** 0: too short, 1: long enough, 2: strong. Length counts most, then the number of different characters. */
export function measurePassword(password: string): 0 | 1 | 2 {
  const { length } = [...password];
  if (length < minPasswordLength) return 0;
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(password));
  const different = new Set(password).size;
  return different >= 8 && (length >= 14 || (length >= 11 && kinds.length >= 3)) ? 2 : 1;
}
