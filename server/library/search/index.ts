/** Search over what people keep, as the rest of the library sees it. */
export { type IndexedDocument, indexDocument, removeDocument, removeSearchOf } from './index-document.ts';
export {
  type DocumentSearch,
  type FoundDocument,
  type FoundDocuments,
  mostFound,
  search,
} from './search-documents.ts';
export type { Snippet, SnippetPart } from './snippets.ts';
