/** The search room's interface for the rest of the library. */

export { removeSearchOf, removeSearchOfDeletedAccounts } from './indexing/index-document.ts';
export { startDocumentIndexer } from './indexing/index-due.ts';
export { search } from './search-documents.ts';
