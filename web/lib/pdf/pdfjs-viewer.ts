/** pdf.js' viewer component. It expects the library in a global that loading the library sets, hence the order. */
import './pdfjs.ts';
import 'pdfjs-dist/web/pdf_viewer.css';

export {
  EventBus,
  LinkTarget,
  PDFFindController,
  PDFLinkService,
  PDFViewer,
} from 'pdfjs-dist/web/pdf_viewer.mjs';
