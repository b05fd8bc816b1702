/** Made by site/blog/blog-plugin.ts; for loaders, which run at build time. */
declare module 'virtual:blog' {
  /** The list of articles, as HTML. */
  export const list: string;
  /** Newest first. */
  export const pages: import('#shared/blog.ts').BlogPage[];
}
