/** Search over what people keep, as the rest of the library sees it. */
export { type IndexedDocument, indexDocument, removeDocument, removeSearchOf } from './index-document.ts';
export {
  type DocumentSearch,
  type FoundDocument,
  type FoundDocuments,
  search,
} from './search-documents.ts';
