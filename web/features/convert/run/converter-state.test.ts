import { describe, expect, it } from 'vitest';
import type { Conversion, ConversionEvent, ConversionPage, ProcessResponse } from '#shared/api/conversion.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import type { ConverterAction, Draft } from './converter-actions.ts';
import { type ConverterState, initialState, phaseOf, reduce } from './converter-state.ts';

const result: ProcessResponse = {
  latex: '\\title{One}',
  pdf_base64: 'JVBERi0=',
  warnings: [{ code: 'HANDWRITING', message: 'Compare it with the ink.', page: 1 }],
  figures: [],
  doubtful: [{ start: 7, end: 10, page: 1, reason: 'Faint.' }],
  source_map: { lines: [], doubtful: [] },
  conversion_id: 'c1',
};
const page = (number: number, state: ConversionPage['state']): ConversionPage => ({
  number,
  state,
  warnings: [],
  doubtful: [],
  ...(state === 'read' ? { latex: `page ${number}` } : {}),
});
const userError: ErrorObject = {
  code: 'INVALID_INPUT',
  error: 'It is locked. Remove the password.',
  source: 'user',
};

function run(actions: ConverterAction[], from: ConverterState = initialState): ConverterState {
  return actions.reduce(reduce, from);
}
const started: ConverterAction = {
  type: 'convertStarted',
  file: new File(['x'], 'notes.pdf'),
  filteredFile: null,
  documentName: 'notes',
  startPage: 1,
  endPage: null,
};
const event = (given: ConversionEvent): ConverterAction => ({ type: 'eventArrived', event: given });
const accepted = event({ type: 'accepted', conversion_id: 'c1', page_count: 2 });
const delivered = event({ type: 'delivered', result });

describe('conversion', () => {
  it('goes from idle to loading and uploading, and uploading ends at 100', () => {
    expect(phaseOf(initialState)).toBe('desk');
    const uploading = run([started, { type: 'uploadProgressed', percent: 41.6 }]);
    expect(uploading).toMatchObject({ loading: true, uploading: true, uploadProgress: 42 });
    const done = run([{ type: 'uploadProgressed', percent: 100 }], uploading);
    expect(done).toMatchObject({ loading: true, uploading: false, uploadProgress: 100 });
    expect(phaseOf(done)).toBe('converting');
  });

  it('never shows progress going back', () => {
    const state = run([
      started,
      { type: 'uploadProgressed', percent: 60 },
      { type: 'uploadProgressed', percent: 30 },
    ]);
    expect(state.uploadProgress).toBe(60);
  });

  it('shows every page once accepted and fills them as they arrive, in any order', () => {
    const state = run([started, accepted, event({ type: 'page', page: page(2, 'read') })]);
    expect(state.pages.map((known) => known.state)).toEqual(['waiting', 'read']);
    expect(state.conversionId).toBe('c1');
  });

  it('success sets the LaTeX and a PDF data address, triggers one credit refresh and resets the work', () => {
    const state = run([started, accepted, event({ type: 'stage', state: 'assembling' }), delivered]);
    expect(state).toMatchObject({
      latex: result.latex,
      pdfUrl: 'data:application/pdf;base64,JVBERi0=',
      warnings: result.warnings,
      loading: false,
      uploading: false,
      uploadProgress: 0,
      finishing: false,
      creditRefreshTrigger: 1,
    });
    expect(phaseOf(state)).toBe('result');
    // repeated after a reconnection, it changes nothing
    expect(run([delivered], state)).toEqual(state);
  });

  it('failure before acceptance shows the catalogue’s text and leaves the desk unchanged', () => {
    const tooLong: ErrorObject = {
      code: 'PDF_TOO_LONG',
      error: '',
      source: 'user',
      warnings: result.warnings,
    };
    const state = run([started, { type: 'failed', error: tooLong }]);
    expect(state.error).toBe(
      'Your PDF is longer than the allowed limit. Try splitting it into smaller parts.',
    );
    expect(state.errorObj?.code).toBe('PDF_TOO_LONG');
    expect(state.warnings).toEqual(result.warnings);
    expect(state).toMatchObject({ loading: false, uploading: false, uploadProgress: 0 });
    expect(phaseOf(state)).toBe('desk');
  });

  it('failure after acceptance keeps the pages that were read', () => {
    const state = run([
      started,
      accepted,
      event({ type: 'page', page: page(1, 'read') }),
      event({ type: 'failed', error: { code: 'GENERATION_FAILED', error: '', source: 'server' } }),
    ]);
    expect(state.error).toBe('We had trouble processing your document. Please retry.');
    expect(state.pages[0]?.latex).toBe('page 1');
    expect(phaseOf(state)).toBe('converting');
  });

  it('a new conversion clears the last one but not the credit counter', () => {
    const state = run([started, accepted, delivered, { type: 'dismissed' }]);
    expect(state).toEqual({ ...initialState, creditRefreshTrigger: 1 });
  });
});

describe('resuming', () => {
  const conversion: Conversion = {
    conversion_id: 'c1',
    state: 'reading',
    created_at: '2026-01-01T00:00:00Z',
    pages: [page(1, 'read'), page(2, 'reading')],
    last_event_id: '4',
  };
  const restored = (given: Conversion, draft: Draft | null = null): ConverterAction => ({
    type: 'conversionRestored',
    conversion: given,
    documentName: 'notes',
    draft,
  });

  it('continues with the pages read so far', () => {
    const state = run([
      { type: 'restoreStarted', conversionId: 'c1', documentName: 'notes' },
      restored(conversion),
    ]);
    expect(phaseOf(state)).toBe('converting');
    expect(state).toMatchObject({ loading: true, documentName: 'notes', pages: conversion.pages });
  });

  it('restores the result with edits that were not compiled yet', () => {
    const done: Conversion = { ...conversion, state: 'delivered', result };
    const spots = [
      { id: 0, page: 1, start: 7, end: 13, reason: 'Faint.', confidence: 0.4, alternatives: [] },
    ];
    const draft = { latex: '\\title{Edited}', spots, checked: 3, deliveredLength: result.latex.length };
    const state = run([restored(done, draft)]);
    expect(state).toMatchObject({
      latex: '\\title{Edited}',
      provenLatex: result.latex,
      spots,
      checked: 3,
      loading: false,
    });
  });

  it('keeps a confirmed spot confirmed', () => {
    const done: Conversion = { ...conversion, state: 'delivered', result };
    const draft = { latex: null, spots: [], deliveredLength: result.latex.length };
    expect(run([restored(done)]).spots).toHaveLength(1);
    expect(run([restored(done, draft)]).spots).toEqual([]);
    // nothing is confirmed in a newer delivery yet
    expect(run([restored(done, { ...draft, deliveredLength: 3 })]).spots).toHaveLength(1);
  });

  it('says why a conversion failed', () => {
    const state = run([restored({ ...conversion, state: 'failed', error: userError })]);
    expect(state).toMatchObject({ error: userError.error, loading: false });
  });
});

describe('a page read again', () => {
  const partly = run([started, accepted, event({ type: 'page', page: page(2, 'failed') }), delivered]);
  const fuller: ProcessResponse = { ...result, latex: '\\title{One} and page 2' };

  it('replaces the document that nobody touched', () => {
    const state = run(
      [{ type: 'pageRetried', number: 2 }, event({ type: 'delivered', result: fuller })],
      partly,
    );
    expect(state).toMatchObject({ latex: fuller.latex, pendingResult: null, loading: false });
  });

  it('asks before it replaces edits', () => {
    const edited = run(
      [
        { type: 'latexEdited', latex: 'mine' },
        { type: 'pageRetried', number: 2 },
      ],
      partly,
    );
    const waiting = run([event({ type: 'delivered', result: fuller })], edited);
    expect(waiting).toMatchObject({ latex: 'mine', pendingResult: fuller });
    expect(run([{ type: 'pendingResultDeclined' }], waiting)).toMatchObject({
      latex: 'mine',
      pendingResult: null,
    });
    expect(run([{ type: 'pendingResultAccepted' }], waiting)).toMatchObject({
      latex: fuller.latex,
      pendingResult: null,
    });
  });
});

describe('change request', () => {
  const ready = run([started, accepted, delivered]);

  it('is ignored when blank', () => {
    const blank = run([{ type: 'feedbackTyped', feedback: '  \n' }], ready);
    expect(run([{ type: 'changeStarted' }], blank)).toEqual(blank);
  });

  it('sets loading and clears the PDF and errors; new LaTeX is recompiled, credits are reloaded', () => {
    const waiting = run(
      [
        { type: 'failed', error: userError },
        { type: 'feedbackTyped', feedback: 'change the title to Two' },
        { type: 'changeStarted' },
      ],
      ready,
    );
    expect(waiting).toMatchObject({ loading: true, pdfUrl: null, error: null, errorObj: null });
    const answered = run(
      [{ type: 'changeAnswered', latex: '\\title{Two}', description: 'Title set.', warnings: [] }],
      waiting,
    );
    expect(answered).toMatchObject({
      latex: '\\title{Two}',
      feedback: '',
      changeNote: 'Title set.',
      creditRefreshTrigger: 2,
      loading: true,
    });
    const compiled = run([{ type: 'compileSucceeded', latex: '\\title{Two}', pdfUrl: 'blob:2' }], answered);
    expect(compiled).toMatchObject({ pdfUrl: 'blob:2', loading: false, isPdfAssistantLoading: false });
  });

  it('when refused shows the error, clears the feedback, and the unchanged document keeps its PDF', () => {
    const refused = run(
      [
        { type: 'feedbackTyped', feedback: 'make it rhyme' },
        { type: 'changeStarted' },
        { type: 'changeFailed', error: userError },
      ],
      ready,
    );
    expect(refused).toMatchObject({
      error: userError.error,
      feedback: '',
      loading: false,
      pdfUrl: ready.pdfUrl,
    });
  });
});

describe('doubtful spots', () => {
  const ready = run([started, accepted, delivered]);
  const wordsOf = (state: ConverterState) =>
    state.spots.map(({ start, end }) => state.latex?.slice(start, end));

  it('follow their words, also after edits and changes, until they are confirmed', () => {
    expect(wordsOf(ready)).toEqual(['One']);
    const edited = run([{ type: 'latexEdited', latex: '% mine\n\\title{One}' }], ready);
    expect(wordsOf(edited)).toEqual(['One']);
    const latex = '\\date{}\n% mine\n\\title{One}';
    const changed = run([{ type: 'changeAnswered', latex, description: null, warnings: [] }], edited);
    expect(wordsOf(changed)).toEqual(['One']);
    const confirmed = run([{ type: 'spotConfirmed', id: 0 }], changed);
    expect(confirmed).toMatchObject({ spots: [], checked: 1 });
    const restored = run([{ type: 'spotRestored', spot: changed.spots[0]! }], confirmed);
    expect(restored).toEqual(changed);
  });
});

describe('compile and watermark', () => {
  const ready = run([started, accepted, delivered]);

  it('a failed compile keeps the last good PDF and the warnings of the conversion', () => {
    const error: ErrorObject = { code: 'COMPILATION_FAILED', error: 'x', source: 'user', messages: [] };
    const state = run(
      [{ type: 'latexEdited', latex: '\\oops' }, { type: 'compileStarted' }, { type: 'failed', error }],
      ready,
    );
    expect(state.error).toBe('LaTeX compilation failed. Check the code or try the suggested fix.');
    expect(state).toMatchObject({ pdfUrl: ready.pdfUrl, warnings: result.warnings, isCompiling: false });
  });

  it('undo restores the same PDF as before, also after two watermarks', () => {
    const marked = run(
      [
        { type: 'watermarkStarted' },
        { type: 'watermarkSucceeded', pdfUrl: 'data:marked' },
        { type: 'watermarkStarted' },
        { type: 'watermarkSucceeded', pdfUrl: 'data:marked-again' },
      ],
      ready,
    );
    expect(marked).toMatchObject({ pdfUrl: 'data:marked-again', unmarkedPdfUrl: ready.pdfUrl });
    const undone = run([{ type: 'watermarkUndoStarted' }, { type: 'watermarkUndone' }], marked);
    expect(undone).toEqual(ready);
  });

  it('stopping a compile leaves the PDF and no error', () => {
    const edited = run([{ type: 'latexEdited', latex: 'typed' }], ready);
    const stopped = run([{ type: 'compileStarted' }, { type: 'compileStopped' }], edited);
    expect(stopped).toEqual(edited);
  });

  it('a new compile has no watermark to undo', () => {
    const state = run(
      [
        { type: 'watermarkSucceeded', pdfUrl: 'data:marked' },
        { type: 'compileSucceeded', latex: result.latex, pdfUrl: 'blob:new' },
      ],
      ready,
    );
    expect(state).toMatchObject({ pdfUrl: 'blob:new', unmarkedPdfUrl: null });
  });
});

describe('a PDF compiled while typing', () => {
  const ready = run([started, accepted, delivered]);
  const arrived: ConverterAction = { type: 'livePdfArrived', latex: 'typed', pdfUrl: 'blob:live' };

  it('is shown if it belongs to the current text, and clears the error of an earlier one', () => {
    const failed = run(
      [{ type: 'failed', error: { code: 'COMPILATION_FAILED', error: 'x', source: 'user' } }],
      ready,
    );
    const edited = run([{ type: 'latexEdited', latex: 'typed further' }, arrived], failed);
    expect(edited).toMatchObject({ pdfUrl: 'blob:live', provenLatex: 'typed', latex: 'typed further' });
    expect(edited.errorObj).toBeNull();
    const other = run([{ type: 'failed', error: userError }, arrived], ready);
    expect(other.errorObj).toEqual(userError);
  });

  it('is ignored for a document that is being changed or compiled on request, or was dismissed', () => {
    const changing = run([{ type: 'feedbackTyped', feedback: 'x' }, { type: 'changeStarted' }], ready);
    for (const state of [changing, run([{ type: 'compileStarted' }], ready), initialState])
      expect(run([arrived], state)).toEqual(state);
  });
});
