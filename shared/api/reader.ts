/** Who can read pages. */
export const readerIds = ['embedded', 'vision-model'] as const;
export type ReaderId = (typeof readerIds)[number];
