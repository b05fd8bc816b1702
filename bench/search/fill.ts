/** Fills the tables of one case, each process its share of the documents; the same rows that `indexDocument` writes. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { prepareDocument } from '../../server/library/search/index-document.ts';
import { lettersOf } from '../../server/library/search/word-likeness.ts';
import { writeDocument } from './documents.ts';
import type { Plant } from './plants.ts';
import { createRandom } from './random.ts';

export interface FillJob {
  url: string;
  /** Documents with numbers from `first` on, before `last`. */
  first: number;
  last: number;
  /** Documents an owner; the owner of number n is `ownerId(floor(n / perOwner))`. */
  perOwner: number;
  plants: Plant[];
}

export type WordCounts = Map<string, { documents: number; titles: number }>;

/** Ids made of names, the same in each run. */
function nameId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
export const ownerId = (owner: number): string => nameId(`owner ${owner}`);
export const documentId = (number: number): string => nameId(`document ${number}`);
export const folderId = (owner: number, folder: number): string => nameId(`folder ${owner} ${folder}`);
export const foldersPerOwner = 20;

/** Text format of COPY. */
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
    let counts: WordCounts = new Map();
    let owner = Math.floor(job.first / job.perOwner);
    for (let begin = job.first; begin < job.last; begin += batch) {
      const documents: string[] = [];
      const entries: string[] = [];
      const words: string[] = [];
      for (let number = begin; number < Math.min(job.last, begin + batch); number++) {
        if (Math.floor(number / job.perOwner) !== owner) {
          words.push(...wordLines(owner, counts));
          counts = new Map();
          owner = Math.floor(number / job.perOwner);
        }
        addDocument(job, number, owner, documents, entries, counts);
      }
      await copy(
        client,
        'documents (id, user_id, folder_id, title, latex, starred_at, saved_at, updated_at)',
        documents,
      );
      await copy(
        client,
        'private.document_search (document_id, user_id, changed_at, title, body, places, formulas, tokens)',
        entries,
      );
      await copyWords(client, words);
    }
    await copyWords(client, wordLines(owner, counts));
  } finally {
    await client.end();
  }
}

function addDocument(
  { plants }: FillJob,
  number: number,
  owner: number,
  documents: string[],
  entries: string[],
  counts: WordCounts,
): void {
  const { title, latex } = writeDocument(
    number,
    plants.filter((plant) => plant.number === number).map((plant) => plant.latex),
  );
  const random = createRandom(number + 99);
  const userId = ownerId(owner);
  const savedAt = new Date(firstDay + random.next() * days * 86_400_000).toISOString();
  const id = documentId(number);
  const folder =
    random.next() < 0.5 ? folderId(owner, Math.floor(foldersPerOwner * random.next() ** 2)) : null;
  const starredAt = random.next() < 0.03 ? savedAt : null;
  const { row, words } = prepareDocument({ documentId: id, userId, title, latex });
  documents.push(line([id, userId, folder, title, latex, starredAt, savedAt, savedAt]));
  entries.push(
    line([id, userId, savedAt, row.title, row.body, `{${row.places}}`, row.formulas, `{${row.tokens}}`]),
  );
  for (const word of ['', ...words.all]) {
    const count = counts.get(word) ?? { documents: 0, titles: 0 };
    counts.set(word, count);
    count.documents++;
    if (words.title.has(word)) count.titles++;
  }
}

const wordLines = (owner: number, counts: WordCounts): string[] =>
  [...counts].map(([word, { documents, titles }]) =>
    line([
      ownerId(owner),
      word,
      String(documents),
      String(titles),
      String([...word].length),
      String(lettersOf(word)),
    ]),
  );

/** Several processes count words of one owner: their counts are added. */
async function copyWords(client: pg.Client, words: string[]): Promise<void> {
  if (words.length === 0) return;
  await client.query('create temporary table if not exists counted (like private.search_words)');
  await client.query('truncate counted');
  await copy(client, 'counted', words);
  await client.query(`insert into private.search_words as known
    select * from counted order by user_id, word
    on conflict (user_id, word) do update
    set documents = known.documents + excluded.documents, titles = known.titles + excluded.titles`);
}

async function copy(client: pg.Client, table: string, lines: string[]): Promise<void> {
  await pipeline(Readable.from(lines), client.query(copyFrom(`copy ${table} from stdin`)));
}

if (parentPort) {
  await fill(workerData as FillJob);
}
