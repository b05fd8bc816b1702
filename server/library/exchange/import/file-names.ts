/** Plain names for files from folders. */
import { isSafeAssetName } from '#typesetting/index.ts';

/** Assigns each path a unique plain name, always the same for the same path. */
export class FileNames {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  nameOf(path: string): string {
    const known = this.#names.get(path);
    if (known) return known;
    const parts = path.split('/');
    const file = parts.at(-1)!;
    const dot = file.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [file.slice(0, dot), file.slice(dot)] : [file, ''];
    const folder = parts.slice(0, -1).join('-');
    const choices = [stem, ...(folder ? [`${folder}-${stem}`] : [])];
    const name =
      choices.map((one) => plain(one, ending)).find((one) => this.#isFree(one)) ??
      this.#numbered(stem, ending);
    this.#names.set(path, name);
    // must not collide on file systems that ignore case
    this.#taken.add(name.toLowerCase());
    return name;
  }

  #isFree(name: string): boolean {
    return isSafeAssetName(name) && !this.#taken.has(name.toLowerCase());
  }

  #numbered(stem: string, ending: string): string {
    for (let number = 1; ; number++) {
      const name = plain(`${stem}-${number}`, ending);
      if (this.#isFree(name)) return name;
    }
  }
}

/** Letters, digits, `-`, `_`; accents are removed, anything else becomes `-`. A dot in the stem confuses graphicx. */
function plain(stem: string, ending: string): string {
  const clean = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .replace(/[^A-Za-z0-9_]+/g, '-')
      .replace(/^[-_]+|-+$/g, '');
  const short =
    clean(stem)
      .slice(-60)
      .replace(/^[-_]+/, '') || 'figure';
  const safe = /^main$/i.test(short) ? `${short}-1` : short;
  return `${safe}${ending ? `.${clean(ending).slice(0, 10)}` : ''}`;
}
