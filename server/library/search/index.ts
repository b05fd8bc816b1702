/** Search over what people keep, as the rest of the library sees it. */
export { removeSearchOf } from './index-document.ts';
export { search } from './search-documents.ts';
