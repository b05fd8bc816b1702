/**
 * Publisher's marks in a PDF. Refusing an honest user's notes is worse than letting a book through, so one mark alone
 * never decides: the publisher's own notice, its number and its reservation of rights have to come together.
 */
import { type WorkLimits, WorkLost } from '#platform/work/work-limit.ts';
import { localOwner } from './page-queue.ts';
import { createPagePool, type PagePool } from './pages/page-pool.ts';
import { ReaderPool } from './text-layer/pool.ts';

/** What a PDF states about itself. */
export interface DocumentFacts {
  /** Text of the first and last pages, one string a page. */
  pages: string[];
  /** Values of the Info dictionary by key. */
  info: Record<string, string>;
  /** The XMP packet; empty if there is none. */
  xmp: string;
}

export interface PublisherMarks {
  /** The marks found, in words, for the log. */
  marks: string[];
  score: number;
}

/** From this score on a document counts as published. */
const threshold = 4;

const isbn = /\bISBN(?:-1[03])?:?\s*(?:97[89][-–\s]?)?\d[\d–\-\s]{7,15}[\dX]\b/i;
const openLicence =
  /creative\s+commons|\bCC[\s-]?(BY|0)\b|creativecommons\.org|gnu free documentation|public domain|open access|\barXiv:\d{4}\.\d{4,5}|GFDL|MIT licen[cs]e/i;
const prohibition =
  /no part of this (?:publication|book|work|document) may be (?:reproduced|copied|stored)|(?:reproduction|vervielfältigung).{0,80}(?:prohibited|forbidden|verboten)|toute reproduction.{0,80}interdite|das werk einschließlich aller seiner teile ist urheberrechtlich geschützt|without (?:the )?(?:prior )?(?:written )?permission (?:of|from) the (?:publisher|copyright (?:owner|holder))/i;
const reserved =
  /all rights (?:are )?reserved|tous droits réservés|alle rechte vorbehalten|todos los derechos reservados/i;
const house =
  /\b(?:academic|university|scientific|free) press\b|\bpress(?:es universitaires)\b|\bpublish(?:ers|ing)\b|\bverlag\b|\béditions?\b|\beditorial\b|\bElsevier\b|\bSpringer\b|\bWiley\b|\bPearson\b|\bMcGraw|\bCengage\b|\bTaylor (?:&|and) Francis\b|\bRoutledge\b|\bBirkhäuser\b|\bDe Gruyter\b|\bDunod\b|\bHachette\b/i;
const notice = /(?:©|\(c\)|copyright)\s*(?:©\s*)?(?:\d{4}(?:\s*[-–,]\s*\d{4})*)\s*(?:by\s+)?([^\n.]{2,80})/gi;
const bibliography = /\b(references|bibliography|literatur(?:verzeichnis)?|bibliographie|further reading)\b/i;

/** Pure: the verdict on what a document states about itself. */
export function judgePublisherMarks(facts: DocumentFacts): PublisherMarks | null {
  const marks: string[] = [];
  let score = 0;
  const add = (mark: string, weight: number) => {
    marks.push(mark);
    score += weight;
  };
  // cited books carry ISBNs too: a bibliography says nothing about the document itself
  const own = facts.pages.map((page) => {
    const at = page.search(bibliography);
    return at >= 0 ? page.slice(0, at) : page;
  });
  const text = own.join('\n').replace(/\s+/g, ' ');
  const infoText = Object.values(facts.info).join('\n');
  if (openLicence.test(text) || openLicence.test(infoText) || openLicence.test(facts.xmp)) return null;
  const noticeHouses = [...text.matchAll(notice)].filter((m) => house.test(m[1] ?? ''));
  if (noticeHouses.length > 0) add('a publisher’s copyright notice', 2);
  else if (/published by/i.test(text) && house.test(text)) add('the name of a publisher', 1);
  if (isbn.test(text)) add('an ISBN in the text', 1);
  if (prohibition.test(text)) add('a prohibition of copying', 2);
  if (reserved.test(text) && (noticeHouses.length > 0 || isbn.test(text) || prohibition.test(text)))
    add('all rights reserved', 1);
  const infoHouse = [...infoText.matchAll(notice)].some((m) => house.test(m[1] ?? ''));
  if (infoHouse && (reserved.test(infoText) || isbn.test(infoText)))
    add('a publisher’s notice in the document information', 2);
  const publisher =
    /<dc:publisher>[\s\S]{0,400}?<rdf:li[^>]*>([^<]{2,120})<|prism:publisher>?=?"?([^<"]{2,120})/i.exec(
      facts.xmp,
    );
  const isMarked = /xmpRights:Marked(?:>|=")\s*true/i.test(facts.xmp);
  const hasRights = /<dc:rights>[\s\S]{0,600}?(?:©|copyright|rights reserved)/i.test(facts.xmp);
  const hasIsbn = /prism:isbn|prism:issn|prism:doi/i.test(facts.xmp);
  if (publisher && (isMarked || hasIsbn || hasRights))
    add('a publisher and rights in the XMP packet', hasIsbn || (isMarked && hasRights) ? 3 : 2);
  return score >= threshold ? { marks, score } : null;
}

/** Where a book states its publisher. */
const firstPages = 5;
const lastPages = 2;
const processes = 2;
const limits: WorkLimits = { cpuMs: 15_000 };

let texts: PagePool | null = null;
let facts: ReaderPool | null = null;

/**
 * Marks of a publisher in the PDF at `path`, or null: none, or a file that cannot be read (which says nothing). Runs in
 * processes of its own, within seconds and a bounded memory.
 * @param owner in the queue, as returned by `queueOwner`
 * @throws WorkStarved; the signal's reason
 */
export async function findPublisherMarks(
  path: string,
  signal?: AbortSignal,
  owner = localOwner,
): Promise<PublisherMarks | null> {
  texts ??= createPagePool({ size: processes, limits });
  facts ??= new ReaderPool({ processes, limits });
  const options = { owner, ...(signal ? { signal } : {}) };
  // pdf.js takes four times as long for the text, and has what PDFium does not tell
  const [pages, answer] = await Promise.all([
    texts.run({ kind: 'texts', path, first: firstPages, last: lastPages }, options).catch(noneIfLost),
    facts.facts(path, options),
  ]);
  signal?.throwIfAborted();
  return answer.kind === 'facts' && pages ? judgePublisherMarks({ pages, ...answer.facts }) : null;
}

function noneIfLost(error: unknown): null {
  if (error instanceof WorkLost) return null;
  throw error;
}
