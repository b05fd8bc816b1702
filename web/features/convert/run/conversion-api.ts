/** Calls on one conversion and its result. */
import type { z } from 'zod';
import { Conversion, type Figure } from '#shared/api/conversion.ts';
import {
  ChangeResponse,
  type PublicConfig,
  PublicConfig as PublicConfigSchema,
  WatermarkResponse,
} from '#shared/api/documents.ts';
import { type ApiResult, callBlob, callJson, callNothing } from '../../../lib/api/api-client.ts';
import { fetchSample, fetchSamplePicture, isSample } from './samples.ts';

export function getConfig(): Promise<ApiResult<PublicConfig>> {
  return callJson('GET /config', PublicConfigSchema, { isPublic: true });
}

export function getConversion(id: string, signal?: AbortSignal): Promise<ApiResult<Conversion>> {
  if (isSample(id)) return fetchSample(id, signal);
  return callJson('GET /conversions/{id}', Conversion, { path: { id }, signal });
}

export function cancelConversion(id: string): Promise<ApiResult<undefined>> {
  return callNothing('POST /conversions/{id}/cancel', { path: { id } });
}

export function retryPage(id: string, page: number): Promise<ApiResult<undefined>> {
  return callNothing('POST /conversions/{id}/pages/{number}/retry', { path: { id, number: page } });
}

/** Tells the server to delete what it still has of the conversion. */
export async function dismissConversion(id: string): Promise<ApiResult<undefined>> {
  if (isSample(id)) return { ok: true, data: undefined };
  return callNothing('DELETE /conversions/{id}', { path: { id }, keepalive: true });
}

/** The page as it was read: upright and straightened. Deleted when the conversion ends. */
export function getPageImage(id: string, page: number, signal?: AbortSignal): Promise<ApiResult<Blob>> {
  if (isSample(id)) return fetchSamplePicture(id, signal);
  return callBlob('GET /conversions/{id}/pages/{number}/image', 'image/', {
    path: { id, number: page },
    signal,
  });
}

export function compileLatex(
  latex: string,
  figures: Figure[],
  signal?: AbortSignal,
): Promise<ApiResult<Blob>> {
  const json = { latex, return_pdf: true, source: 'user', figures };
  return callBlob('POST /compile', 'application/pdf', { json, signal });
}

export function requestChange(
  latex: string,
  feedback: string,
  figures: Figure[],
  signal?: AbortSignal,
): Promise<ApiResult<z.infer<typeof ChangeResponse>>> {
  return callJson('POST /request-change', ChangeResponse, { json: { latex, feedback, figures }, signal });
}

/** `sizeScale` 1 is the size that fits the page's diagonal. */
export function watermarkPdf(
  pdf: Blob,
  text: string,
  sizeScale: number,
): Promise<ApiResult<z.infer<typeof WatermarkResponse>>> {
  const form = new FormData();
  form.set('watermark_text', text);
  form.set('size_scale', String(sizeScale));
  form.set('file', pdf, 'document.pdf');
  return callJson('POST /watermark', WatermarkResponse, { form });
}
