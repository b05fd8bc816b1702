/** Search over what people keep, as the rest of the library sees it. */

export { removeSearchOf, removeSearchOfTheGone } from './indexing/index-document.ts';
export { startDocumentIndexer } from './indexing/index-due.ts';
export { search } from './search-documents.ts';
