/**
 * The blog in the build. Its static pages go to `build/client/blog/`, with the styles and fonts of the app's pages;
 * the app's own pages get the same text as `virtual:blog`, which only loaders read: none of it ends up in a script.
 */
import path from 'node:path';
import type { Plugin, Rollup } from 'vite';
import { articleAddress, blogAddress } from '#shared/blog.ts';
import { contentFolder, readArticles } from './read-articles.ts';
import {
  blogDescription,
  blogTitle,
  buildPages,
  type PageAssets,
  writeFeed,
  writeList,
  writePage,
} from './write-pages.ts';

const moduleId = 'virtual:blog';

export function blog(): Plugin {
  return {
    name: 'blog',
    resolveId: (source) => (source === moduleId ? `\0${moduleId}` : undefined),
    load(id) {
      if (id !== `\0${moduleId}`) return undefined;
      const articles = readArticles();
      for (const { slug } of articles) this.addWatchFile(path.join(contentFolder, `${slug}.md`));
      const list = writeList(articles, '/blog-react');
      return `export const list = ${JSON.stringify(list)};\nexport const pages = ${JSON.stringify(buildPages(articles, '/blog-react'))};\n`;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const file = `${(request.url ?? '').slice(1).split('?')[0]}`.replace(
          /^(blog(\/[^./]+)?)\/?$/,
          '$1/index.html',
        );
        const styles = ['app/app', 'features/blog/blog', 'features/blog/blog-page'].map(
          (name) => `/web/${name}.css?direct`,
        );
        const source = writeFiles({ styles, fonts: [] }).get(file);
        if (source === undefined) return next();
        response.setHeader(
          'Content-Type',
          file.endsWith('.xml') ? 'application/xml' : 'text/html; charset=utf-8',
        );
        response.end(source);
      });
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        if (this.environment.name !== 'client') return;
        for (const [fileName, source] of writeFiles(findAssets(bundle)))
          this.emitFile({ type: 'asset', fileName, source });
      },
    },
  };
}

/** Every file of the static blog, by its path in `build/client`. */
function writeFiles(assets: PageAssets): Map<string, string> {
  const articles = readArticles();
  const list = writePage(
    {
      title: `${blogTitle} · Inkproof`,
      description: blogDescription,
      canonical: blogAddress,
      html: writeList(articles, '/blog'),
    },
    assets,
  );
  const pages = buildPages(articles, '/blog').map(({ html, ...article }): [string, string] => [
    `blog/${article.slug}/index.html`,
    writePage(
      {
        title: `${article.title} · Inkproof`,
        description: article.description,
        canonical: articleAddress(article.slug),
        html,
        article,
      },
      assets,
    ),
  ]);
  return new Map([
    ['blog/index.html', list],
    ['blog/en/index.html', list],
    ['blog/rss.xml', writeFeed(articles)],
    ...pages,
  ]);
}

/** Styles are recognised by their content: their names have hashes, and the bundler decides where they go. */
function findAssets(bundle: Rollup.OutputBundle): PageAssets {
  const assets = Object.values(bundle).filter((file) => file.type === 'asset');
  const find = (what: string, isIt: (file: Rollup.OutputAsset) => boolean): string => {
    const found = assets.find(isIt);
    if (!found) throw new Error(`The build has no ${what}, which the blog's pages need.`);
    return `/${found.fileName}`;
  };
  const style = (mark: string) =>
    find(
      `style sheet with ${mark}`,
      ({ fileName, source }) => fileName.endsWith('.css') && source.toString().includes(mark),
    );
  const font = (name: string) =>
    find(`font ${name}`, ({ originalFileNames }) =>
      originalFileNames.includes(`web/app/fonts/${name}.woff2`),
    );
  return {
    styles: [style('--paper-deep:'), style('.blog-page')],
    fonts: [font('inter'), font('source-serif-4')],
  };
}
