/** Search over what people keep, as the rest of the library sees it. */

export { removeSearchOf, removeSearchOfTheGone } from './index-document.ts';
export { startDocumentIndexer } from './index-due.ts';
export { search } from './search-documents.ts';
