/** Signs of a document's writer, from page to page: pages of one document are read side by side, so each knows those before. */
import { describeCarried, type PageAnswer } from './prompt.ts';

/** Documents whose signs are remembered; the one used longest ago is forgotten first. */
const maxDocuments = 100;
const maxSigns = 40;

export class CarriedNotation {
  readonly #documents = new Map<string, Map<string, string>>();

  /** What is known of a document, as a request says it. */
  of(document: string | undefined): string {
    const signs = document === undefined ? undefined : this.#documents.get(document);
    return describeCarried([...(signs ?? [])].map(([sign, latex]) => ({ sign, latex })));
  }

  /** The first page that has a sign decides. */
  add(document: string | undefined, notation: PageAnswer['notation']): void {
    if (document === undefined || notation.length === 0) return;
    const signs = this.#documents.get(document) ?? new Map<string, string>();
    for (const { sign, latex } of notation)
      if (sign.trim() && latex.trim() && signs.size < maxSigns && !signs.has(sign)) signs.set(sign, latex);
    this.#documents.delete(document);
    this.#documents.set(document, signs);
    for (const oldest of this.#documents.keys()) {
      if (this.#documents.size <= maxDocuments) break;
      this.#documents.delete(oldest);
    }
  }
}
