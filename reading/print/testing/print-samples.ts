/** Pictures of print among the fixtures, and the location of their correct text in its source. */
export interface PrintSample {
  file: string;
  index: number;
  /** Stem of the `.tex` under fixtures/pdf. */
  source: string;
  /** The correct text begins with this, … */
  from?: string;
  /** … and ends before this. */
  to?: string;
  /** The picture shows only part of it. */
  isPart: boolean;
}

const grammarPage1 = { source: 'grammaire-subjonctif', to: '\\section{Exercices}', isPart: false };
const grammarPage2 = {
  source: 'grammaire-subjonctif',
  from: '\\section{Exercices}',
  to: '\\end{document}',
  isPart: false,
};
const probability = { source: 'probability-table', isPart: false };
const imagePdf = 'scans/probability-table+grammaire-subjonctif-image-only.pdf';

export const printSamples: PrintSample[] = [
  { file: 'scans/grammaire-subjonctif-scan-p1.jpg', index: 0, ...grammarPage1 },
  { file: 'scans/grammaire-subjonctif-scan-p2.jpg', index: 0, ...grammarPage2 },
  { file: 'scans/grammaire-subjonctif-scan-2pages.tiff', index: 0, ...grammarPage1 },
  { file: 'scans/grammaire-subjonctif-scan-2pages.tiff', index: 1, ...grammarPage2 },
  { file: 'scans/probability-table-photographed-p1.jpg', index: 0, ...probability },
  { file: 'scans/probability-table-skewed-p1.jpg', index: 0, ...probability },
  { file: imagePdf, index: 0, ...probability },
  { file: imagePdf, index: 1, ...grammarPage1 },
  { file: imagePdf, index: 2, ...grammarPage2 },
  {
    file: 'images/problem-sheet-number-theory-p1-photo.heic',
    index: 0,
    source: 'problem-sheet-number-theory',
    to: 'for all $n\\ge1$',
    isPart: false,
  },
  {
    file: 'images/calculus-limits-integrals-p1-exif-orientation-6.jpg',
    index: 0,
    source: 'calculus-limits-integrals',
    to: '\\section{Integrals}',
    isPart: false,
  },
  {
    file: 'images/biologie-zusammenfassung-p1-crops-animated.gif',
    index: 0,
    source: 'biologie-zusammenfassung',
    isPart: true,
  },
  {
    file: 'images/grammaire-subjonctif-p1-crop.webp',
    index: 0,
    source: 'grammaire-subjonctif',
    isPart: true,
  },
  { file: 'images/probability-table-p1-crop.avif', index: 0, source: 'probability-table', isPart: true },
];
