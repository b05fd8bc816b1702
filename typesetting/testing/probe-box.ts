/** A box with a probe instead of an engine: it makes the system calls that a hijacked engine would try. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findNative } from '../native/paths.ts';
import { fontSetup } from '../own-fonts.ts';
import type { SandboxKind, SandboxPaths } from '../sandbox/sandbox.ts';
import { type StayingBox, startBoxed } from '../sandbox/start-boxed.ts';

/** Builds the probe in a folder that every user can traverse, with the jail and a tree for /texmf. */
export function prepareProbe(home: string): SandboxPaths {
  const texmf = path.join(home, 'texmf');
  mkdirSync(texmf);
  copyFileSync(fontSetup, path.join(texmf, 'fonts.conf'));
  const warm = path.join(home, 'probe.so');
  const source = fileURLToPath(new URL('./probe.c', import.meta.url));
  execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-Wall', '-Wextra', '-Werror', '-o', warm, source]);
  chmodSync(warm, 0o644);
  const built = findNative('jail');
  const jail = built && path.join(home, 'jail');
  if (built && jail) {
    copyFileSync(built, jail);
    chmodSync(jail, 0o755);
  }
  return { texmf, warm, jail };
}

export interface ProbedBox {
  box: StayingBox;
  /** Host path of the box's own folder. */
  folder: string;
  /** `ok`, the name of the error (`EACCES`), or the requested value. */
  ask(what: string): Promise<string>;
}

let count = 0;

export function startProbe(
  kind: SandboxKind,
  paths: SandboxPaths,
  home: string,
  id: number | null,
  options: { processes?: number; env?: Record<string, string> } = {},
): ProbedBox {
  const folder = path.join(home, `box-${process.pid}-${++count}`);
  mkdirSync(folder, { mode: 0o700 });
  if (id !== null) chownSync(folder, id, id);
  const box = startBoxed(
    kind,
    paths,
    {
      program: 'xelatex',
      args: ['main.tex'],
      folder,
      id,
      limits: { cpuSeconds: 20, memoryBytes: 1_500_000_000, fileBytes: 1_000_000 },
    },
    { channels: 2, preload: true, ...options, env: { PROBE: '1', ...options.env } },
  );
  const waiting: ((answer: string) => void)[] = [];
  createInterface({ input: box.channel(1) }).on('line', (line) => waiting.shift()?.(line));
  // a box that has ended answers nothing
  box.ended.then(({ code, stderr }) => {
    for (const answer of waiting.splice(0)) answer(`ended ${code} ${stderr}`);
  });
  return {
    box,
    folder,
    ask: (what) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        box.channel(0).write(`${what}\n`);
      }),
  };
}
