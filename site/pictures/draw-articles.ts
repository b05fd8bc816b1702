/**
 * `npm run articles:draw`: compiles each document that an article shows with a picture of its page, and writes that
 * picture, cropped to its content; and each article's picture for link previews. A test fails if a document has
 * changed and its picture has not.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { articlePicture } from '#shared/blog.ts';
import { createTypesetter } from '#typesetting/index.ts';
import { listSource, readArticles } from '#web/features/blog/read-articles.server.ts';
import { composeSharedPicture, sharedSize } from './compose-shared-picture.ts';

const folder = path.resolve(import.meta.dirname, '../../web/public/blog');
/** Records the text that each picture was made from. */
const recordFile = path.join(folder, 'drawn-from.json');
/** In px: twice the text width of an article. */
const width = 1280;
/** White space around the content, in px of that width. */
const margin = 72;

/** The document of each article that shows its page, by the article's slug. */
function listDocuments(): Map<string, string> {
  return new Map(
    readArticles().flatMap(({ slug, markdown }) => {
      if (!markdown.includes(`/blog/${slug}.webp`)) return [];
      const document = listSource(markdown).find(({ kind }) => kind === 'document');
      if (!document) throw new Error(`${slug}.md shows a page and has no document.`);
      return [[slug, document.latex] as const];
    }),
  );
}

/** Each picture's LaTeX, by the picture's path on the site. */
function listPictures(): Map<string, string> {
  return new Map([
    ...[...listDocuments()].map(([slug, latex]) => [`/blog/${slug}.webp`, latex] as const),
    ...readArticles().map(
      (article) => [articlePicture(article.slug), composeSharedPicture(article)] as const,
    ),
  ]);
}

/** Paths of the pictures with a hash of their source. */
export function listTexts(): Record<string, string> {
  return Object.fromEntries(
    [...listPictures()].map(([address, latex]) => [
      address,
      createHash('sha256').update(latex).digest('hex'),
    ]),
  );
}

export function readRecord(): unknown {
  return JSON.parse(readFileSync(recordFile, 'utf8'));
}

async function drawAll(): Promise<void> {
  const home = mkdtempSync(path.join(tmpdir(), 'inkproof-articles-'));
  chmodSync(home, 0o755);
  const typesetter = await createTypesetter({ workDir: path.join(home, 'work'), concurrency: 1 });
  try {
    mkdirSync(folder, { recursive: true });
    for (const [slug, latex] of listDocuments()) {
      const result = await typesetter.compile({ latex, owner: 'articles' });
      if (result.kind !== 'compiled') throw new Error(`The document in ${slug}.md does not compile.`);
      const pdf = path.join(home, `${slug}.pdf`);
      writeFileSync(pdf, result.pdf);
      // without page numbers
      const page = execFileSync(
        'pdftoppm',
        ['-png', '-r', '220', '-l', '1', '-H', '2200', '-singlefile', pdf],
        {
          maxBuffer: 50_000_000,
        },
      );
      const printed = await sharp(page).trim({ background: '#fff', threshold: 20 }).toBuffer();
      const info = await sharp(printed)
        .resize({ width: width - 2 * margin })
        .extend({ top: margin, bottom: margin, left: margin, right: margin, background: '#fff' })
        .webp({ quality: 84 })
        .toFile(path.join(folder, `${slug}.webp`));
      console.log(`${slug}: ${info.width} x ${info.height}, ${info.size} bytes`);
    }
    for (const article of readArticles()) {
      const result = await typesetter.compile({ latex: composeSharedPicture(article), owner: 'articles' });
      if (result.kind !== 'compiled') throw new Error(`The picture of ${article.slug}.md does not compile.`);
      const pdf = path.join(home, `${article.slug}-shared.pdf`);
      writeFileSync(pdf, result.pdf);
      const drawn = execFileSync('pdftoppm', ['-png', '-r', '508', '-singlefile', pdf], {
        maxBuffer: 50_000_000,
      });
      const info = await sharp(drawn)
        .resize({ ...sharedSize, fit: 'fill' })
        .png({ palette: true, colours: 64 })
        .toFile(path.join(folder, '..', articlePicture(article.slug)));
      console.log(`${article.slug}, shared: ${info.size} bytes`);
    }
    writeFileSync(recordFile, `${JSON.stringify(listTexts(), null, 2)}\n`);
  } finally {
    await typesetter.close();
    rmSync(home, { recursive: true, force: true });
  }
}

if (import.meta.main) await drawAll();
