/**
 * Carries the signs of a document's writer from page to page. Pages of a document are read in parallel; each is given
 * the signs that are known by then.
 */
import { describeCarried, type PageAnswer } from './prompt.ts';

/** Number of documents whose signs are remembered; the least recently used is dropped first. */
const maxDocuments = 100;
const maxSigns = 40;

export class CarriedNotation {
  readonly #documents = new Map<string, Map<string, string>>();

  /** What is known of a document, as text for a request. */
  of(document: string | undefined): string {
    const signs = document === undefined ? undefined : this.#documents.get(document);
    return describeCarried([...(signs ?? [])].map(([sign, latex]) => ({ sign, latex })));
  }

  /** The first page with a sign decides. */
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
