/**
 * Fills the tables of one case, each thread its share of the documents, with the same rows that `indexDocument`
 * writes.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { commonDocuments } from '#server/library/search/indexing/change-terms.ts';
import {
  encodeBlock,
  maxInBlock,
  numberOf,
  type Posting,
  posting,
} from '#server/library/search/indexing/posting-block.ts';
import { prepareDocument } from '#server/library/search/indexing/prepare-document.ts';
import {
  backwards,
  cutSegments,
  encodeSegment,
  fromKey,
  isListedBackwards,
  type SegmentEntry,
  toKey,
} from '#server/library/search/indexing/segment.ts';
import { createRandom } from '../../test-support/random.ts';
import { writeDocument } from './documents.ts';
import type { Plant } from './plants.ts';

export interface FillJob {
  url: string;
  /** Numbers of the documents: from `first` up to but not including `last`. */
  first: number;
  last: number;
  /** Documents per owner; the owner of number n is `ownerId(floor(n / perOwner))`. */
  perOwner: number;
  plants: Plant[];
}

/** The index of one library so far, by term: full blocks as stored, and the one being filled. */
type Postings = Map<string, { full: Block[]; open: Posting[] }>;
interface Block {
  first: number;
  documents: number;
  bytes: Buffer;
}

/** Ids derived from names, the same at each run. */
function nameId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
export const ownerId = (owner: number): string => nameId(`owner ${owner}`);
export const documentId = (number: number): string => nameId(`document ${number}`);
export const folderId = (owner: number, folder: number): string => nameId(`folder ${owner} ${folder}`);
export const foldersPerOwner = 20;
/** The library of an owner. */
export const libraryId = (owner: number): number => owner + 1;

/** The text format of COPY. */
const field = (value: string | null): string =>
  value === null
    ? '\\N'
    : value.replace(/[\\\t\n\r]/g, (one) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[one]!);
const line = (values: (string | null)[]): string => `${values.map(field).join('\t')}\n`;

const firstDay = Date.UTC(2023, 0, 1);
const days = 1_000;

export async function fill(job: FillJob): Promise<void> {
  const client = new pg.Client({ connectionString: job.url });
  await client.connect();
  const batch = 1_000;
  try {
    await client.query('set synchronous_commit = off');
    let postings: Postings = new Map();
    let owner = Math.floor(job.first / job.perOwner);
    for (let begin = job.first; begin < job.last; begin += batch) {
      const documents: string[] = [];
      const entries: string[] = [];
      for (let number = begin; number < Math.min(job.last, begin + batch); number++) {
        if (Math.floor(number / job.perOwner) !== owner) {
          await copyPostings(client, owner, postings);
          postings = new Map();
          owner = Math.floor(number / job.perOwner);
        }
        addDocument(job, number, owner, documents, entries, postings);
      }
      await copy(
        client,
        'documents (id, user_id, folder_id, title, latex, starred_at, saved_at, updated_at)',
        documents,
      );
      await copy(
        client,
        'private.document_search (document_id, library, number, format, saved_at, folder_id, is_starred, title, content, word_row, formulas)',
        entries,
      );
    }
    await copyPostings(client, owner, postings);
  } finally {
    await client.end();
  }
}

function addDocument(
  { plants, perOwner }: FillJob,
  number: number,
  owner: number,
  documents: string[],
  entries: string[],
  postings: Postings,
): void {
  const { title, latex } = writeDocument(
    number,
    plants.filter((plant) => plant.number === number).map((plant) => plant.latex),
  );
  const random = createRandom(number + 99);
  const savedAt = new Date(firstDay + random.next() * days * 86_400_000);
  const saved = savedAt.toISOString();
  const id = documentId(number);
  const folder =
    random.next() < 0.5 ? folderId(owner, Math.floor(foldersPerOwner * random.next() ** 2)) : null;
  const starredAt = random.next() < 0.03 ? saved : null;
  const { row, terms } = prepareDocument({
    documentId: id,
    title,
    latex,
    savedAt,
    folderId: folder,
    isStarred: starredAt !== null,
  });
  const ownNumber = number - owner * perOwner;
  documents.push(line([id, ownerId(owner), folder, title, latex, starredAt, saved, saved]));
  entries.push(
    line([
      id,
      String(libraryId(owner)),
      String(ownNumber),
      String(row.format),
      saved,
      folder,
      String(row.isStarred),
      row.title,
      hex(row.content),
      hex(row.wordRow),
      row.formulas,
    ]),
  );
  for (const [term, flags] of terms) {
    let known = postings.get(term);
    if (!known) {
      known = { full: [], open: [] };
      postings.set(term, known);
    }
    known.open.push(posting(ownNumber, flags));
    if (known.open.length === maxInBlock) {
      known.full.push(makeBlock(known.open));
      known.open = [];
    }
  }
}

const makeBlock = (postings: readonly Posting[]): Block => ({
  first: numberOf(postings[0]!),
  documents: postings.length,
  bytes: encodeBlock(postings),
});

async function copyPostings(client: pg.Client, owner: number, postings: Postings): Promise<void> {
  const common = 'private.search_postings (library, term, first, documents, postings, is_common)';
  await copy(client, common, blockLines(owner, postings));
  await copy(client, 'private.search_segments (library, first, entries)', segmentLines(owner, postings));
}

type TermPostings = Postings extends Map<string, infer One> ? One : never;
const isCommon = ({ full, open }: TermPostings): boolean => full.length > 0 || open.length >= commonDocuments;
const hex = (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}`;

function* blockLines(owner: number, postings: Postings): Generator<string> {
  for (const [term, known] of postings) {
    if (!isCommon(known)) continue;
    const blocks = known.open.length > 0 ? [...known.full, makeBlock(known.open)] : known.full;
    for (const [index, { first, documents, bytes }] of blocks.entries())
      yield line([
        String(libraryId(owner)),
        term,
        String(index && first),
        String(documents),
        hex(bytes),
        documents >= commonDocuments ? '1' : '0',
      ]);
  }
}

function* segmentLines(owner: number, postings: Postings): Generator<string> {
  const entries: SegmentEntry[] = [];
  for (const [term, known] of postings) {
    if (isCommon(known)) continue;
    entries.push({ key: toKey(term), postings: encodeBlock(known.open) });
    if (isListedBackwards(term)) entries.push({ key: toKey(backwards(term)), postings: Buffer.alloc(0) });
  }
  entries.sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const [index, part] of cutSegments(entries).entries())
    yield line([
      String(libraryId(owner)),
      index === 0 ? '' : fromKey(part[0]!.key),
      hex(encodeSegment(part)),
    ]);
}

async function copy(client: pg.Client, table: string, lines: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(lines), client.query(copyFrom(`copy ${table} from stdin`)));
}

if (parentPort) {
  await fill(workerData as FillJob);
}
