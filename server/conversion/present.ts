/** Converts rows to API objects. */

import type { Conversion, ConversionPage, Figure, ProcessResponse } from '#shared/api/conversion.ts';
import { type Storage, StorageNotFound } from '../storage/storage.ts';
import type { conversionPages, conversions, StoredResult } from './schema.ts';

export type ConversionRow = typeof conversions.$inferSelect;
export type PageRow = typeof conversionPages.$inferSelect;

export function presentPage(page: PageRow): ConversionPage {
  const { transcription } = page;
  return {
    number: page.number,
    state: page.state,
    ...(transcription ? { latex: transcription.body } : {}),
    warnings: transcription?.warnings ?? [],
    doubtful: transcription?.doubtful ?? [],
    ...(page.error ? { error: page.error } : {}),
  };
}

export type LoadedResult = Omit<ProcessResponse, 'conversion_id'>;

/** A result with its files; null if they no longer exist (dismissed, expired, or replaced by a newer delivery). */
export async function loadResult(storage: Storage, result: StoredResult): Promise<LoadedResult | null> {
  try {
    const pdf = await storage.getBytes(pdfKey(result));
    const figures: Figure[] = [];
    for (const figure of result.figures) {
      const bytes = await storage.getBytes(figureKey(result, figure.name));
      figures.push({ name: figure.name, media_type: figure.mediaType, data_base64: toBase64(bytes) });
    }
    const { latex, warnings, doubtful = [], lines = [] } = result;
    return {
      latex,
      pdf_base64: toBase64(pdf),
      warnings,
      figures,
      doubtful,
      source_map: { lines, doubtful },
    };
  } catch (error) {
    if (error instanceof StorageNotFound) return null;
    throw error;
  }
}

export function presentConversion(
  conversion: ConversionRow,
  pages: readonly PageRow[],
  result: LoadedResult | null,
): Conversion {
  return {
    conversion_id: conversion.id,
    state: conversion.state,
    created_at: conversion.createdAt.toISOString(),
    pages: pages.map(presentPage),
    ...(result ? { result } : {}),
    ...(conversion.error ? { error: conversion.error } : {}),
    last_event_id: String(conversion.lastEventId),
  };
}

export function pdfKey(result: StoredResult): string {
  return `${result.folder}document.pdf`;
}

/** Figures have their own folder, so that no figure's name can collide with the PDF's. */
export function figureKey(result: StoredResult, name: string): string {
  return `${result.folder}figures/${name}`;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
