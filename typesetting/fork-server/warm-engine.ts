/**
 * One warm engine: a box with TeX in it, for xelatex a second one with the PDF driver, a folder and an id that
 * both share, and the frozen copies left along the last document. It serves one owner for its whole life.
 */
import path from 'node:path';
import { engineArgs } from '../engines/finish-job.ts';
import type { AuxFiles } from '../engines/passes.ts';
import { documentName, type JobFolder, readJobFile, writeJobFile } from '../sandbox/job-folder.ts';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import { type BoxedExit, cpuSecondsLeft, type Watch } from '../sandbox/run-boxed.ts';
import { type BoxedProgram, defaultFileBytes, defaultMemoryBytes } from '../sandbox/sandbox.ts';
import type { Engine } from '../typesetter.ts';
import {
  commonEnd,
  commonStart,
  findBody,
  type InputState,
  lineEnd,
  lineStart,
  type PassInputs,
  toInputState,
} from './inputs.ts';
import { PdfDriver } from './pdf-driver.ts';
import { channelCount, type RunCommand } from './protocol.ts';
import { AssetStore, createRunFolder, createSideFolder, removeFolder } from './run-folder.ts';
import { blank, type Snapshot, Snapshots } from './snapshots.ts';
import { WarmProcess } from './warm-process.ts';
import { watchRun } from './watch-run.ts';
import { hashPages, readXdv, thinXdv } from './xdv.ts';

/** The result of a pass; a fault is the engine's, not the document's, and the engine must be ended. */
export type PassEnd =
  | { kind: 'ended'; exit: BoxedExit; folder: JobFolder; isResumed: boolean }
  | { kind: 'fault' };

export interface PreviewPages {
  pdf: Uint8Array;
  firstPage: number;
  lastPage: number;
}

/** CPU time between snapshots at first; later a share of what the whole document takes. */
const firstEveryMs = 60;
const minEveryMs = 80;
const snapshotsOverDocument = 8;
/** Names that a document looks for; one that invents names would fill our memory. */
const maxLooks = 2_000;
/** A larger XDV file is not compared page by page. */
const maxXdvBytes = 16_000_000;
/** The engine itself, its copies, a run, its preview. */
const maxProcesses = 40;
/** CPU time of the processes that only wait; a run gets its own limit when it starts. */
const waitingCpuSeconds = 600;

/** A waiting program's surroundings, beyond those of a cold one. */
const surroundings = {
  engine: {},
  driver: {
    // memory for a whole document at once, not 132 KB by 132 KB (measured: 6 of 30 ms for one page)
    GLIBC_TUNABLES: 'glibc.malloc.top_pad=16777216:glibc.malloc.trim_threshold=67108864',
  },
} as const;

export class WarmEngine {
  readonly engine: Engine;
  readonly startedAt = Date.now();
  owner: string | null = null;
  isBusy = false;
  lastUsed = Date.now();
  /** When it is ended if nothing comes. */
  keptUntil = 0;
  /** The auxiliary files of the last document that settled. */
  aux: AuxFiles = new Map();
  /** The text that was compiled last. */
  source: Buffer | null = null;
  memoryBytes = 0;
  readonly #sandbox: Sandbox;
  readonly #folder: string;
  readonly #id: number | null;
  readonly #store: AssetStore;
  readonly #tex: WarmProcess;
  readonly #driver: PdfDriver | null;
  readonly #snapshots = new Snapshots();
  #runs = 0;
  #everyMs = firstEveryMs;
  /** Start of the line that was edited last. */
  #focus: number | null = null;
  #pageHashes: string[] = [];
  /** What the last run found in its folder. */
  #state: InputState = new Map();
  #assets: PassInputs['assets'] = [];
  #clearing: Promise<unknown> = Promise.resolve();

  private constructor(engine: Engine, sandbox: Sandbox, folder: string, id: number | null) {
    this.engine = engine;
    this.#sandbox = sandbox;
    this.#folder = folder;
    this.#id = id;
    this.#store = new AssetStore(`${folder}-assets`);
    this.#tex = this.#start(engine, engineArgs(engine), 'engine');
    this.#driver =
      engine === 'xelatex'
        ? new PdfDriver(this.#start('xdvipdfmx', ['-q', '-E', '-o', 'main.pdf'], 'driver'))
        : null;
  }

  /** Starts an engine and its driver; `ready` resolves when it waits. */
  static async start(engine: Engine, sandbox: Sandbox, folder: string): Promise<WarmEngine> {
    const id = sandbox.takeId();
    try {
      await createSideFolder(folder, id);
      // the engine opens its document before there is one; every run supplies its own
      await writeJobFile(folder, documentName, '');
      return new WarmEngine(engine, sandbox, folder, id);
    } catch (error) {
      await removeFolder(folder);
      sandbox.giveBackId(id);
      throw error;
    }
  }

  get ready(): Promise<boolean> {
    return this.#tex.ready;
  }

  get isOver(): boolean {
    return this.#tex.isOver || (this.#driver?.process.isOver ?? false);
  }

  get snapshotCount(): number {
    return this.#snapshots.all.length + (this.#driver?.snapshotCount ?? 0);
  }

  /** How many bytes of this text need not be read again. */
  reach(source: Buffer): number {
    return this.#snapshots.reach(source);
  }

  /** True if the text is a later state of the one compiled last, not another document. */
  isSameDocument(source: Buffer): boolean {
    const before = this.source;
    if (!before) return false;
    const start = commonStart(before, source);
    // two edits far apart leave less in common than one; two documents with one preamble hardly this much
    return start + commonEnd(before, source, start) >= Math.max(before.length, source.length) / 4;
  }

  /**
   * Runs TeX once over the text, from the furthest known place.
   * @param onPreview given if the text was edited: receives the changed pages before the run ends.
   */
  async runPass(
    inputs: PassInputs,
    watch: Watch,
    onPreview?: (pages: PreviewPages) => void,
  ): Promise<PassEnd> {
    if (watch.signal.aborted)
      return { kind: 'ended', exit: { kind: 'aborted' }, folder: noFolder, isResumed: false };
    const { source } = inputs;
    const state = toInputState(inputs);
    this.#state = state;
    this.#assets = inputs.assets;
    const edit = this.#noteEdit(source);
    for (const { slot } of this.#snapshots.takeOutdated(source)) this.#tex.release(slot);
    const from = this.#snapshots.best(source, state, (slot) => this.#tex.isWaiting(slot));
    const pinned = placesToPin(source);
    const marks = this.#chooseMarks(source, from, pinned);
    this.#makeRoom(marks.length + 4, state, from, pinned);
    const run = ++this.#runs;
    const name = `r${run}`;
    const place = path.join(this.#folder, name);
    const previewFrom = onPreview && edit !== null && this.#pageHashes.length > 0 ? edit : null;
    const folder = await createRunFolder(place, this.#id, inputs, this.#store);
    if (previewFrom !== null)
      // a copy made while TeX reads another file opens that file again
      await createSideFolder(`${place}p`, this.#id, inputs.assets.filter(isInput), this.#store);
    const remove = async () => {
      await Promise.all([folder.remove(), removeFolder(`${place}p`)]);
    };
    const command: RunCommand = {
      run,
      folder: name,
      cpuSeconds: cpuSecondsLeft(watch),
      everyMs: this.#everyMs,
      previewFrom,
      slots: this.#tex.freeSlots,
      marks,
    };
    const looks = new Map(from.looks);
    let isRunning = true;
    const exit = await watchRun(this.#tex, [place, `${place}p`], watch, () =>
      this.#tex.run(from.slot, command, {
        onLook: (file) => {
          if (looks.size < maxLooks) looks.set(file ?? '', state.get(file ?? '') ?? null);
          // matches no state: copies from here on serve no other run
          else looks.set('', 'more than is remembered');
        },
        onSnapshot: (slot, offset) => this.#snapshots.add({ slot, offset, source, looks: new Map(looks) }),
        onPreview: () => {
          // once the run has ended, its whole document is as near as its preview
          const isWanted = () => isRunning;
          const show = (pages: PreviewPages) => onPreview?.(pages);
          void this.#makePreview(`${place}p`, run, watch, isWanted, show).catch(() => {});
        },
      }),
    );
    isRunning = false;
    if (exit.kind === 'fault') {
      await remove();
      return exit;
    }
    if (exit.cpuMs !== null && from === blank)
      this.#everyMs = Math.max(minEveryMs, Math.round(exit.cpuMs / snapshotsOverDocument));
    return { kind: 'ended', exit: exit.exit, folder: { ...folder, remove }, isResumed: from !== blank };
  }

  /** Makes main.pdf of main.xdv in a run's folder. */
  drive(folder: string, watch: Watch): Promise<BoxedExit> {
    if (!this.#driver) throw new Error('pdflatex writes its PDF itself');
    return this.#driver.drive(folder, 'document', this.#state, watch);
  }

  /**
   * Removes a run's folder in the background; after the last pass, first remembers how its pages look, to tell
   * later which ones an edit changed.
   */
  clear(folder: JobFolder, isLastPass: boolean): void {
    const before = this.#clearing;
    const clear = async () => {
      if (isLastPass) {
        const xdv = await readXdvFile(folder.path);
        this.#pageHashes = xdv && xdv.pages.length > 1 ? hashPages(xdv) : [];
      }
      // the process of the run may not have left it yet
      await this.#tex.whenIdle();
      await folder.remove();
    };
    this.#clearing = Promise.all([before, clear().catch(() => {})]);
  }

  async measureMemory(): Promise<number> {
    const parts = await Promise.all([this.#tex.measureMemory(), this.#driver?.process.measureMemory() ?? 0]);
    this.memoryBytes = parts[0] + parts[1];
    return this.memoryBytes;
  }

  /** Ends all its processes, then removes its folders and returns its id. */
  async close(): Promise<void> {
    this.#tex.kill();
    this.#driver?.process.kill();
    await Promise.all([this.#tex.ended, this.#driver?.process.ended, this.#clearing]);
    await Promise.all([removeFolder(this.#folder), removeFolder(`${this.#folder}-assets`)]);
    this.#sandbox.giveBackId(this.#id);
  }

  #start(program: BoxedProgram, args: string[], role: 'engine' | 'driver'): WarmProcess {
    const limits = {
      cpuSeconds: waitingCpuSeconds,
      memoryBytes: defaultMemoryBytes,
      fileBytes: defaultFileBytes,
    };
    const box = this.#sandbox.start(
      { program, args, folder: this.#folder, id: this.#id, limits },
      {
        channels: channelCount,
        preload: true,
        env: { INKPROOF_WARM: role, ...surroundings[role] },
        processes: maxProcesses,
      },
    );
    return new WarmProcess(box);
  }

  /**
   * Where the text stops differing from the last one: the end of the line, so that a page after it contains the
   * edit.
   */
  #noteEdit(source: Buffer): number | null {
    const before = this.source;
    this.source = source;
    if (!before || before.equals(source)) return null;
    const start = commonStart(before, source);
    this.#focus = lineStart(source, Math.min(start, source.length));
    return lineEnd(source, source.length - commonEnd(before, source, start));
  }

  /** Where else snapshots are wanted most: before the line that is being edited, and before its paragraph. */
  #chooseMarks(source: Buffer, from: Snapshot, pinned: ReadonlySet<number>): number[] {
    const marks = new Set(pinned);
    if (this.#focus !== null && this.#focus < source.length) {
      marks.add(this.#focus);
      const gap = source.lastIndexOf('\n\n', Math.max(0, this.#focus - 2));
      if (gap > Math.max(0, ...pinned)) marks.add(gap + 2);
    }
    return [...marks].filter((mark) => mark > from.offset).sort((a, b) => a - b);
  }

  #makeRoom(wanted: number, state: InputState, keep: Snapshot, pinned: ReadonlySet<number>): void {
    const missing = wanted - this.#tex.freeSlots.length;
    if (missing <= 0) return;
    for (const { slot } of this.#snapshots.takeLeastUseful(missing, state, keep, pinned))
      this.#tex.release(slot);
  }

  /** Makes a PDF that shows the changed pages from those that a run's copy has typeset so far. */
  async #makePreview(
    folder: string,
    run: number,
    watch: Watch,
    isWanted: () => boolean,
    show: (pages: PreviewPages) => void,
  ): Promise<void> {
    const driver = this.#driver;
    const xdv = await readXdvFile(folder);
    if (!driver || !xdv || !isWanted()) return;
    const hashes = hashPages(xdv);
    const first = hashes.findIndex((hash, page) => hash !== this.#pageHashes[page]);
    if (first < 0) return;
    const place = path.join(this.#folder, `r${run}d`);
    await createSideFolder(place, this.#id, this.#assets, this.#store);
    try {
      await writeJobFile(place, 'main.xdv', thinXdv(xdv, first));
      const exit = await driver.drive(place, 'page', this.#state, watch);
      if (exit.kind !== 'exited' || exit.code !== 0) return;
      const pdf = await readJobFile(place, 'main.pdf', defaultFileBytes);
      if (pdf && isWanted()) show({ pdf, firstPage: first + 1, lastPage: xdv.pages.length });
    } finally {
      await removeFolder(place);
    }
  }
}

const isInput = ({ name }: PassInputs['assets'][number]) => /\.tex$/i.test(name);

const noFolder: JobFolder = { path: '/nonexistent', inputs: new Set(), remove: async () => {} };

/**
 * Before and after `\\begin{document}`: before it no auxiliary file has been read yet, after it all of them
 * have. Every pass with new ones can begin at the first, every edit in the body at the second.
 */
function placesToPin(source: Buffer): ReadonlySet<number> {
  const body = findBody(source);
  return new Set(body === null ? [] : [body, lineEnd(source, body)]);
}

async function readXdvFile(folder: string) {
  const bytes = await readJobFile(folder, 'main.xdv', maxXdvBytes);
  return bytes && readXdv(bytes);
}
